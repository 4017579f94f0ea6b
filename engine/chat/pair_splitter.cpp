// Reasoning between an opening and a closing mark.
#include "engine/chat/pair_splitter.h"

#include <algorithm>

namespace engine::chat {

namespace {

constexpr std::string_view kWhite = " \t\r\n";
constexpr std::string_view kBetween = "\n\n"; // two stretches of reasoning

std::string_view withoutWhiteEnd(std::string_view text)
{
    const auto last = text.find_last_not_of(kWhite);
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// The last line holds white space alone; `before`: whether that holds for the text before.
bool lineIsBlank(std::string_view text, bool before)
{
    const auto lineBreak = text.find_last_of('\n');
    const bool blank =
        text.find_first_not_of(kWhite, lineBreak == std::string_view::npos ? 0 : lineBreak)
        == std::string_view::npos;
    return blank && (before || lineBreak != std::string_view::npos);
}

} // namespace

PairSplitter::PairSplitter(ReasoningMarks marks, std::string_view promptEnd)
    : m_marks(std::move(marks))
{
    const std::string_view prompt = withoutWhiteEnd(promptEnd);
    if (prompt.ends_with(m_marks.open)) {
        open();
    } else if (prompt.ends_with(m_marks.close)) {
        close();
    }
}

void PairSplitter::open()
{
    m_inside = true;
    m_begun = false;
    m_marked = true;
}

void PairSplitter::close()
{
    m_inside = false;
    m_begun = m_answered;
    m_marked = true;
}

void PairSplitter::turn(SplitText& out)
{
    out.turned = true;
    out.reasoning = std::move(out.answer);
    out.answer.clear();
    m_reasoned = true;
    m_answered = false;
    close();
}

SplitText PairSplitter::push(std::string_view text)
{
    SplitText out;
    m_waiting += text;
    while (step(out)) { }
    return out;
}

SplitText PairSplitter::finish()
{
    m_ended = true;
    return push({});
}

bool PairSplitter::isMark(std::string_view token) const
{
    return token == m_marks.open || token == m_marks.close;
}

SplitText PairSplitter::pushMark(std::string_view token)
{
    SplitText out;
    if (m_waiting.find_first_not_of(kWhite) != std::string::npos) {
        m_ended = true;
        while (step(out)) { }
        m_ended = false;
    }
    m_waiting.clear(); // white space next to a mark
    if (token == m_marks.open) {
        open();
    } else if (!m_inside && m_answered && !m_marked && m_marks.certain) {
        turn(out);
    } else {
        close();
    }
    return out;
}

/// True while there is more to do with the waiting text.
bool PairSplitter::step(SplitText& out)
{
    if (m_waiting.empty()) {
        return false;
    }
    if (!m_begun) {
        return stepStart(out);
    }
    return m_inside ? stepReasoning(out) : stepAnswer(out);
}

PairSplitter::Found PairSplitter::foundAt(std::size_t at, std::size_t& length) const
{
    const std::string_view rest = std::string_view(m_waiting).substr(at);
    bool unfinished = false;
    const auto is = [&](std::string_view mark) {
        unfinished = unfinished || (rest.size() < mark.size() && mark.starts_with(rest));
        length = mark.size();
        return !mark.empty() && rest.starts_with(mark);
    };
    if (!m_marks.tokensOnly) {
        if (is(m_marks.open)) {
            return Found::Open;
        }
        if ((m_inside || m_marked || m_marks.certain) && is(m_marks.close)) {
            return Found::Close;
        }
    }
    if (m_inside ? is(m_marks.label) : m_marked && is(m_marks.answerOpen)) {
        return Found::Label;
    }
    return unfinished && !m_ended ? Found::Unfinished : Found::Text;
}

bool PairSplitter::stepStart(SplitText& out)
{
    const bool drops = m_inside || m_marked;
    const auto words = m_waiting.find_first_not_of(kWhite);
    const std::size_t white = std::min(words, m_waiting.size());
    if (drops) {
        m_waiting.erase(0, white);
    } else if (!m_marks.certain || (words == std::string::npos && m_ended)) {
        giveAnswer(white, out);
    } else if (words == std::string::npos) {
        return false; // it goes if a mark follows
    }
    if (m_waiting.empty()) {
        return false;
    }
    const std::size_t at = drops || !m_marks.certain ? 0 : white;
    std::size_t length = 0;
    switch (foundAt(at, length)) {
    case Found::Unfinished:
        return false;
    case Found::Open:
        m_waiting.erase(0, at + length);
        open();
        return true;
    case Found::Close:
        m_waiting.erase(0, at + length);
        close();
        return true;
    case Found::Label:
        m_waiting.erase(0, at + length);
        return true;
    case Found::Text:
        break;
    }
    m_begun = true;
    if (m_inside && std::exchange(m_reasoned, true)) {
        out.reasoning += kBetween;
    }
    m_answered = m_answered || !m_inside;
    return true;
}

bool PairSplitter::stepReasoning(SplitText& out)
{
    const auto end = m_marks.tokensOnly ? std::string::npos : m_waiting.find(m_marks.close);
    if (end != std::string::npos) {
        out.reasoning += withoutWhiteEnd(std::string_view(m_waiting).substr(0, end));
        m_waiting.erase(0, end + m_marks.close.size());
        close();
        return true;
    }
    const std::size_t begun =
        m_ended || m_marks.tokensOnly ? 0 : detail::begunMark(m_waiting, m_marks.close);
    const auto sure =
        withoutWhiteEnd(std::string_view(m_waiting).substr(0, m_waiting.size() - begun)).size();
    out.reasoning.append(m_waiting, 0, sure);
    m_waiting.erase(0, m_ended ? m_waiting.size() : sure);
    return false;
}

void PairSplitter::giveAnswer(std::size_t count, SplitText& out)
{
    const auto given = std::string_view(m_waiting).substr(0, count);
    m_lineBlank = lineIsBlank(given, m_lineBlank);
    out.answer += given;
    m_waiting.erase(0, count);
}

/// True when the waiting text holds a closing mark that ends what was taken for the answer.
bool PairSplitter::turnAtLoneClose(SplitText& out)
{
    for (auto at = m_waiting.find(m_marks.close); at != std::string::npos;
         at = m_waiting.find(m_marks.close, at + 1)) {
        if (lineIsBlank(std::string_view(m_waiting).substr(0, at), m_lineBlank)) {
            giveAnswer(at, out);
            m_waiting.erase(0, m_marks.close.size());
            turn(out);
            return true;
        }
    }
    return false;
}

bool PairSplitter::stepAnswer(SplitText& out)
{
    std::size_t begun = 0;
    if (!m_marked && m_marks.certain && !m_marks.tokensOnly) {
        if (turnAtLoneClose(out)) {
            return true;
        }
        begun = detail::begunMark(m_waiting, m_marks.close);
    } else if (m_marked && !m_marks.answerClose.empty()) {
        if (const auto at = m_waiting.find(m_marks.answerClose); at != std::string::npos) {
            giveAnswer(at, out);
            m_waiting.erase(0, m_marks.answerClose.size());
            return true;
        }
        begun = detail::begunMark(m_waiting, m_marks.answerClose);
    }
    giveAnswer(m_waiting.size() - (m_ended ? 0 : begun), out);
    return false;
}

} // namespace engine::chat
