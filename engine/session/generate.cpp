#include "engine/session/generate.h"

#include "engine/chat/reasoning_splitter.h"
#include "engine/session/stop_matcher.h"
#include "engine/text/utf8_stream.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace engine::session {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The last tokens of a prompt may hold the marks of reasoning; no mark is longer.
constexpr std::size_t kPromptEnd = 64;

/// The state of one answer.
class Answer
{
public:
    Answer(Session& session, const GenerateOptions& options, const GenerateCallbacks& callbacks)
        : m_session(session)
        , m_tokenizer(session.model().tokenizer())
        , m_options(options)
        , m_callbacks(callbacks)
        , m_sampler(options.sampler)
        , m_matcher(options.stopTexts)
        , m_start(Clock::now())
    {
    }

    Result<Generated> run(std::span<const TokenId> prompt, std::stop_token stop)
    {
        if (tooMuchToRead(prompt)) {
            m_result.finish = FinishReason::Length;
            return std::move(m_result);
        }
        const auto evaluated = m_session.prefill(prompt, stop, m_callbacks.onPrefill);
        m_result.timings.prefillMs = millisecondsSince(m_start);
        if (!evaluated) {
            if (evaluated.error().code == ErrorCode::Cancelled) {
                m_result.finish = FinishReason::Cancelled;
                return std::move(m_result);
            }
            return tl::unexpected(evaluated.error());
        }
        m_result.timings.prefillTokens = *evaluated;
        m_result.timings.reusedTokens = prompt.size() - *evaluated;
        if (m_options.reasoning) {
            const auto end = prompt.last(std::min(prompt.size(), kPromptEnd));
            m_splitter = chat::makeReasoningSplitter(
                *m_options.reasoning, m_tokenizer.detokenize(end, text::DetokenizeMode::Text));
        }
        for (const auto token : prompt) {
            m_sampler.accept(token);
        }
        if (auto decoded = decode(stop); !decoded) {
            return tl::unexpected(decoded.error());
        }
        finish();
        return std::move(m_result);
    }

private:
    bool tooMuchToRead(std::span<const TokenId> prompt) const
    {
        return m_options.maxPrefill >= 0
            && prompt.size() - m_session.reusable(prompt)
            > static_cast<std::size_t>(m_options.maxPrefill);
    }

    /// Until something ends the answer.
    Result<void> decode(std::stop_token stop)
    {
        const auto start = Clock::now();
        while (!ended(stop)) {
            const auto token = m_sampler.sample(m_session.logits());
            if (m_result.ids.empty()) {
                m_result.timings.firstTokenMs = millisecondsSince(m_start);
            }
            if (!m_options.ignoreEnd && endsHere(token)) {
                m_result.finish = FinishReason::End;
                break;
            }
            m_sampler.accept(token);
            m_result.ids.push_back(token);
            deliver(token);
            if (m_matcher.matched()) {
                m_result.finish = FinishReason::Stop;
                break;
            }
            if (m_splitter && m_splitter->isDone() && !m_options.ignoreEnd) {
                m_result.finish = FinishReason::End;
                break;
            }
            if (reachedLength()) {
                m_result.finish = FinishReason::Length;
                break;
            }
            if (m_session.tokens().size() >= m_session.contextLength()) {
                m_result.finish = FinishReason::Context;
                break;
            }
            auto appended = m_session.append(token, stop);
            if (!appended && appended.error().code != ErrorCode::Cancelled) {
                return appended;
            }
        }
        m_result.timings.decodeTokens = m_result.ids.size();
        m_result.timings.decodeMs = millisecondsSince(start);
        return {};
    }

    bool reachedLength() const
    {
        return m_options.maxTokens >= 0
            && m_result.ids.size() >= static_cast<std::size_t>(m_options.maxTokens);
    }

    bool ended(const std::stop_token& stop)
    {
        if (stop.stop_requested()) {
            m_result.finish = FinishReason::Cancelled;
            return true;
        }
        if (reachedLength()) { // nothing was asked for
            m_result.finish = FinishReason::Length;
            return true;
        }
        return false;
    }

    bool endsHere(TokenId token) const
    {
        const bool known = m_tokenizer.vocabulary().endsGeneration(token);
        if (!m_splitter) {
            return known;
        }
        const auto name = m_tokenizer.piece(token);
        return known ? !m_splitter->endsOnlyMessage(name) : m_splitter->endsAnswer(name);
    }

    void deliver(TokenId token)
    {
        const auto& vocabulary = m_tokenizer.vocabulary();
        const bool control =
            vocabulary.valid(token) && vocabulary.kind(token) == text::TokenKind::Control;
        if (!m_splitter) {
            emit(control ? std::string() : m_utf8.push(m_tokenizer.piece(token)));
            return;
        }
        const auto piece = m_tokenizer.piece(token);
        if ((control || vocabulary.needsTrust(token)) && m_splitter->isMark(piece)) {
            emitHeld(m_splitter->push(m_utf8.finish()));
            emit(m_splitter->pushMark(piece));
        } else {
            emit(m_splitter->push(control ? std::string() : m_utf8.push(piece)));
        }
    }

    void emit(const chat::SplitText& parts)
    {
        if (parts.turned) {
            turn();
        }
        if (!parts.reasoning.empty() || (parts.answer.empty() && m_splitter->isReasoning())) {
            emitReasoning(parts.reasoning);
        }
        if (!parts.answer.empty() || !m_splitter->isReasoning()) {
            emit(parts.answer);
        }
    }

    void emit(const std::string& text) { give(m_matcher.push(text)); }

    /// Text of the answer.
    void give(const std::string& text)
    {
        m_result.text += text;
        if (m_callbacks.onText) {
            m_callbacks.onText(text, m_result.ids.size());
        }
    }

    void emitReasoning(const std::string& text)
    {
        if (!text.empty()) {
            const auto now = millisecondsSince(m_start);
            if (m_result.reasoning.empty()) {
                m_reasoningSince = now;
            }
            m_result.timings.reasoningMs = now - m_reasoningSince;
            m_result.reasoning += text;
        }
        if (m_callbacks.onReasoning) {
            m_callbacks.onReasoning(text, m_result.ids.size());
        }
    }

    /// What was taken for the answer is reasoning, what the matcher holds back included.
    void turn()
    {
        if (const auto held = m_matcher.finish(); !held.empty()) {
            give(held);
        }
        m_result.reasoning = std::move(m_result.text);
        m_result.text.clear();
        m_reasoningSince = m_result.timings.firstTokenMs;
        m_result.timings.reasoningMs = millisecondsSince(m_start) - m_reasoningSince;
        if (m_callbacks.onTurned) {
            m_callbacks.onTurned();
        }
    }

    /// What was held back turns out to be text.
    void finish()
    {
        if (m_result.finish == FinishReason::Stop) {
            return;
        }
        auto end = m_utf8.finish();
        if (m_splitter) {
            emitHeld(m_splitter->push(std::exchange(end, {})));
            emitHeld(m_splitter->finish());
        }
        auto rest = m_matcher.push(end);
        rest += m_matcher.finish();
        if (!rest.empty()) {
            give(rest);
        }
    }

    /// Without a word where nothing was held.
    void emitHeld(const chat::SplitText& parts)
    {
        if (parts.turned || !parts.reasoning.empty() || !parts.answer.empty()) {
            emit(parts);
        }
    }

    Session& m_session;
    const text::Tokenizer& m_tokenizer;
    const GenerateOptions& m_options;
    const GenerateCallbacks& m_callbacks;
    Sampler m_sampler;
    StopMatcher m_matcher;
    text::Utf8Stream m_utf8;
    std::unique_ptr<chat::ReasoningSplitter> m_splitter; ///< with GenerateOptions::reasoning
    Clock::time_point m_start;
    double m_reasoningSince = 0; ///< ms from the start
    Generated m_result;
};

} // namespace

std::string_view finishReasonName(FinishReason reason)
{
    switch (reason) {
    case FinishReason::End:
        return "end";
    case FinishReason::Length:
        return "length";
    case FinishReason::Stop:
        return "stop";
    case FinishReason::Context:
        return "context";
    case FinishReason::Cancelled:
        return "cancelled";
    }
    return "";
}

Result<Generated> generate(Session& session, std::span<const TokenId> prompt,
                           const GenerateOptions& options, std::stop_token stop,
                           const GenerateCallbacks& callbacks)
{
    return Answer(session, options, callbacks).run(prompt, std::move(stop));
}

} // namespace engine::session
