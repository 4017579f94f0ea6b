#include "engine/session/generate.h"

#include "engine/session/stop_matcher.h"
#include "engine/text/utf8_stream.h"

#include <chrono>

namespace engine::session {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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
            if (m_tokenizer.vocabulary().endsGeneration(token) && !m_options.ignoreEnd) {
                m_result.finish = FinishReason::End;
                break;
            }
            m_sampler.accept(token);
            m_result.ids.push_back(token);
            if (deliver(token)) {
                m_result.finish = FinishReason::Stop;
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

    /// True when a stop text is complete.
    bool deliver(TokenId token)
    {
        const auto& vocabulary = m_tokenizer.vocabulary();
        const bool shown =
            !vocabulary.valid(token) || vocabulary.kind(token) != text::TokenKind::Control;
        const auto whole = shown ? m_utf8.push(m_tokenizer.piece(token)) : std::string();
        emit(m_matcher.push(whole));
        return m_matcher.matched();
    }

    void emit(const std::string& text)
    {
        m_result.text += text;
        if (m_callbacks.onText) {
            m_callbacks.onText(text, m_result.ids.size());
        }
    }

    /// What was held back turns out to be text.
    void finish()
    {
        if (m_result.finish == FinishReason::Stop) {
            return;
        }
        auto rest = m_matcher.push(m_utf8.finish());
        rest += m_matcher.finish();
        if (!rest.empty()) {
            emit(rest);
        }
    }

    Session& m_session;
    const text::Tokenizer& m_tokenizer;
    const GenerateOptions& m_options;
    const GenerateCallbacks& m_callbacks;
    Sampler m_sampler;
    StopMatcher m_matcher;
    text::Utf8Stream m_utf8;
    Clock::time_point m_start;
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
