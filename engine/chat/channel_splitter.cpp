// Reasoning and answer as messages of different channels (harmony).
#include "engine/chat/channel_splitter.h"

#include <algorithm>
#include <array>

namespace engine::chat {

namespace {

constexpr std::array kMarks { channel::kStart, channel::kChannel, channel::kMessage,
                              channel::kEnd };
constexpr std::string_view kBetween = "\n\n"; // two messages
/// A longer one without any mark is no header: the model doesn't write in this form.
constexpr std::size_t kLongestHeader = 256;

} // namespace

ChannelSplitter::ChannelSplitter(bool tokensOnly, std::string_view promptEnd)
    : m_tokensOnly(false)
    , m_body(Body::Final)
{
    const auto start = promptEnd.rfind(channel::kStart);
    if (start != std::string_view::npos) {
        m_ended = true; // the prompt's marks are whole
        (void)push(promptEnd.substr(start));
    }
    m_ended = false;
    m_tokensOnly = tokensOnly;
    m_headerOfPrompt = m_header.size();
    m_anyBody = m_body != Body::None;
    m_fresh = true;
    m_reasoned = false;
    m_answered = false;
    m_done = false;
}

SplitText ChannelSplitter::push(std::string_view text)
{
    SplitText out;
    m_waiting += text;
    scan(out);
    return out;
}

void ChannelSplitter::scan(SplitText& out)
{
    while (!m_waiting.empty() && !m_done) {
        std::size_t first = std::string::npos;
        std::string_view mark;
        std::size_t begun = 0;
        for (const auto each : m_tokensOnly ? std::span<const std::string_view>() : kMarks) {
            if (const auto at = m_waiting.find(each); at < first) {
                first = at;
                mark = each;
            }
            begun = std::max(begun, m_ended ? 0 : detail::begunMark(m_waiting, each));
        }
        if (mark.empty()) {
            const auto sure = m_waiting.size() - begun;
            give(std::string_view(m_waiting).substr(0, sure), out);
            m_waiting.erase(0, sure);
            return;
        }
        give(std::string_view(m_waiting).substr(0, first), out);
        m_waiting.erase(0, first + mark.size());
        apply(mark);
    }
}

void ChannelSplitter::give(std::string_view text, SplitText& out)
{
    if (text.empty()) {
        return;
    }
    if (m_body == Body::None) {
        m_header += text;
        if (m_anyBody || m_header.size() - m_headerOfPrompt <= kLongestHeader
            || m_header.find(channel::kChannel) != std::string::npos) {
            return;
        }
        const std::string lost = m_header.substr(m_headerOfPrompt);
        m_header.clear();
        beginBody();
        give(lost, out);
        return;
    }
    const bool thought = m_body == Body::Reasoning;
    bool& some = thought ? m_reasoned : m_answered;
    std::string& part = thought ? out.reasoning : out.answer;
    if (std::exchange(m_fresh, false) && some) {
        part += kBetween;
    }
    some = true;
    part += text;
}

void ChannelSplitter::beginBody()
{
    const auto at = m_header.find(channel::kChannel);
    m_body = Body::Final;
    if (at != std::string::npos) {
        std::string_view name = std::string_view(m_header).substr(at + channel::kChannel.size());
        name = name.substr(0, name.find_first_of(" \t\r\n<"));
        const bool toTool = m_header.find("to=") != std::string::npos;
        m_body = name == "final"              ? Body::Final
            : name == "commentary" && !toTool ? Body::Preamble
                                              : Body::Reasoning;
    }
    m_header.clear();
    m_headerOfPrompt = 0;
    m_fresh = true;
    m_anyBody = true;
}

void ChannelSplitter::apply(std::string_view mark)
{
    if (mark == channel::kMessage) {
        if (m_body == Body::None) {
            beginBody();
        }
        return;
    }
    if (mark == channel::kChannel) {
        if (m_body != Body::None) {
            m_body = Body::None;
            m_header.clear();
        }
        m_header += mark;
        return;
    }
    m_done = mark == channel::kEnd && m_body == Body::Final;
    m_body = Body::None;
    m_header.clear();
    m_headerOfPrompt = 0;
}

bool ChannelSplitter::isMark(std::string_view token) const
{
    return std::find(kMarks.begin(), kMarks.end(), token) != kMarks.end();
}

SplitText ChannelSplitter::pushMark(std::string_view token)
{
    SplitText out;
    m_ended = true;
    scan(out);
    m_ended = false;
    if (!m_done) {
        apply(token);
    }
    return out;
}

SplitText ChannelSplitter::finish()
{
    SplitText out;
    m_ended = true;
    scan(out);
    if (!m_anyBody && !m_done && m_header.find(channel::kChannel) == std::string::npos) {
        out.answer += m_header.substr(m_headerOfPrompt); // no header after all
    }
    return out;
}

bool ChannelSplitter::isReasoning() const
{
    return m_body == Body::Reasoning || (m_body == Body::None && !m_answered);
}

bool ChannelSplitter::endsOnlyMessage(std::string_view token) const
{
    return token == channel::kEnd && m_body != Body::Final;
}

bool ChannelSplitter::endsAnswer(std::string_view token) const
{
    return token == channel::kEnd && m_body == Body::Final;
}

} // namespace engine::chat
