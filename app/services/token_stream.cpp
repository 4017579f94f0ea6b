#include "app/services/token_stream.h"

#include "engine/text/utf8_stream.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

// Kept free for the replacement characters that `close` may add without waiting.
constexpr std::size_t kReserve = 8;
constexpr std::size_t kLongestCharacter = 4;
// A rate out of less is a guess.
constexpr auto kLeastEvidence = std::chrono::milliseconds(300);

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The most bytes of `text`, up to `room`, that end at a character's border.
std::size_t wholeCharacters(std::string_view text, std::size_t room)
{
    if (text.size() <= room) {
        return text.size();
    }
    std::size_t length = room;
    while (length > 0 && isContinuation(text[length])) {
        --length;
    }
    return length;
}

} // namespace

struct TokenSink::Part
{
    std::string unread; // valid UTF-8

    engine::text::Utf8Stream decoder; // producer only, not guarded
};

struct TokenSink::Shared
{
    std::mutex mutex;
    std::condition_variable_any roomOrGone;
    Part answer; // both together at most TokenStream::kCapacity bytes unread
    Part reasoning;
    bool turned = false; // since the last update
    bool hasWords = false; // ever
    std::size_t tokens = 0;
    std::size_t promptDone = 0;
    std::size_t promptTotal = 0;
    std::size_t leftOut = 0;
    Clock::time_point promptAt; // of the latest progress
    Clock::time_point readingAt; // of the first progress of the reading
    std::optional<std::size_t> readBefore; // tokens done then: those found in the cache
    std::size_t firstTokens = 0; // the count that came with the first text
    Clock::time_point firstTokenAt;
    Clock::time_point lastTokenAt;
    bool changed = false; // something to hand out
    bool closed = false;
    bool woken = false;
    bool gone = false; // the consumer
    std::size_t highWaterMark = 0;
    std::size_t wakeUps = 0;
    Mailbox::Sender sender;
    std::function<void()> onWakeUp; // runs on the consumer's thread, never when it is gone

    explicit Shared(Mailbox::Sender mailbox)
        : sender(std::move(mailbox))
    {
    }

    // With the mutex held.
    void wake(bool atOnce)
    {
        changed = true;
        if (gone || (woken && !atOnce)) {
            return;
        }
        woken = true;
        ++wakeUps;
        sender.post(onWakeUp);
    }

    [[nodiscard]] std::size_t unread() const
    {
        return answer.unread.size() + reasoning.unread.size();
    }

    void append(Part& part, std::string_view text)
    {
        part.unread.append(text);
        highWaterMark = std::max(highWaterMark, unread());
        // The first words don't wait behind the wake-up of a prompt's progress.
        wake(!std::exchange(hasWords, true));
    }

    void readPrompt(std::size_t done, std::size_t total)
    {
        promptAt = Clock::now();
        // The first of all says only that the prompt is there.
        if (promptTotal > 0 && !readBefore) {
            readBefore = done;
            readingAt = promptAt;
        }
        promptDone = done;
        promptTotal = total;
    }

    [[nodiscard]] std::optional<double> promptSecondsLeft() const
    {
        const std::chrono::duration<double> took = promptAt - readingAt;
        if (!readBefore || promptDone <= *readBefore || promptDone >= promptTotal
            || took < kLeastEvidence) {
            return std::nullopt;
        }
        const std::chrono::duration<double> since = Clock::now() - promptAt;
        const double left = took.count() * static_cast<double>(promptTotal - promptDone)
            / static_cast<double>(promptDone - *readBefore);
        return std::max(0.0, left - since.count());
    }

    void countTokens(std::size_t count)
    {
        if (count == tokens) {
            return;
        }
        lastTokenAt = Clock::now();
        if (tokens == 0) {
            firstTokens = count;
            firstTokenAt = lastTokenAt;
        }
        tokens = count;
    }

    [[nodiscard]] double tokensPerSecond() const
    {
        const std::chrono::duration<double> took = lastTokenAt - firstTokenAt;
        return took.count() > 0 ? static_cast<double>(tokens - firstTokens) / took.count() : 0;
    }
};

TokenSink::TokenSink(std::shared_ptr<Shared> shared)
    : m_shared(std::move(shared))
{
}

TokenSink::~TokenSink() = default;

void TokenSink::push(std::string_view text, std::size_t tokens, const std::stop_token& stop)
{
    push(m_shared->answer, text, tokens, stop);
}

void TokenSink::pushReasoning(std::string_view text, std::size_t tokens,
                              const std::stop_token& stop)
{
    push(m_shared->reasoning, text, tokens, stop);
}

void TokenSink::turn()
{
    const std::lock_guard lock(m_shared->mutex);
    // What was not handed out goes over here, the rest at the reader's.
    m_shared->reasoning.unread += std::exchange(m_shared->answer.unread, {});
    m_shared->turned = true;
    m_shared->wake(false);
}

void TokenSink::push(Part& part, std::string_view text, std::size_t tokens,
                     const std::stop_token& stop)
{
    const std::string whole = part.decoder.push(text);
    std::string_view rest = whole;

    std::unique_lock lock(m_shared->mutex);
    m_shared->countTokens(tokens);
    if (rest.empty()) {
        m_shared->wake(false);
    }
    const auto room = [this] {
        const std::size_t limit = TokenStream::kCapacity - kReserve;
        return limit - std::min(limit, m_shared->unread());
    };
    while (!rest.empty()) {
        const std::size_t least = std::min(rest.size(), kLongestCharacter);
        m_shared->roomOrGone.wait(lock, stop, [&] { return m_shared->gone || room() >= least; });
        if (m_shared->gone || room() < least) {
            return; // nobody reads any more, or stopped
        }
        const std::size_t length = wholeCharacters(rest, room());
        m_shared->append(part, rest.substr(0, length));
        rest.remove_prefix(length);
    }
}

void TokenSink::setPromptProgress(std::size_t done, std::size_t total)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->readPrompt(done, total);
    m_shared->wake(false);
}

void TokenSink::setLeftOut(std::size_t messages)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->leftOut = messages;
}

void TokenSink::close()
{
    const std::string thought = m_shared->reasoning.decoder.finish();
    const std::string tail = m_shared->answer.decoder.finish();
    const std::lock_guard lock(m_shared->mutex);
    if (std::exchange(m_shared->closed, true)) {
        return;
    }
    if (!thought.empty()) {
        m_shared->append(m_shared->reasoning, thought);
    }
    if (!tail.empty()) {
        m_shared->append(m_shared->answer, tail);
    }
    // At once, so that an answer without anything left to hand out ends without waiting for its
    // turn.
    m_shared->wake(m_shared->unread() == 0);
}

struct TokenStream::Pace
{
    QElapsedTimer sinceUpdate;
    QTimer next;
    bool hadWords = false;
    bool ended = false;
};

TokenStream::TokenStream(QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<TokenSink::Shared>(m_mailbox.sender()))
    , m_sink(std::make_shared<TokenSink>(m_shared))
    , m_pace(std::make_unique<Pace>())
{
    m_shared->onWakeUp = [this] { onWakeUp(); };
    m_pace->next.setSingleShot(true);
    m_pace->next.setTimerType(Qt::PreciseTimer);
    connect(&m_pace->next, &QTimer::timeout, this, &TokenStream::drain);
}

TokenStream::~TokenStream()
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->gone = true;
    m_shared->roomOrGone.notify_all();
}

std::shared_ptr<TokenSink> TokenStream::sink() const
{
    return m_sink;
}

std::size_t TokenStream::highWaterMark() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->highWaterMark;
}

std::size_t TokenStream::wakeUps() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->wakeUps;
}

void TokenStream::onWakeUp()
{
    bool atOnce = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        const bool first = m_shared->hasWords && !m_pace->hadWords;
        const bool onlyTheEnd = m_shared->closed && m_shared->unread() == 0;
        atOnce = first || onlyTheEnd;
    }
    const qint64 waited =
        m_pace->sinceUpdate.isValid() ? m_pace->sinceUpdate.elapsed() : kUpdateIntervalMs;
    if (atOnce || waited >= kUpdateIntervalMs) {
        drain();
    } else if (!m_pace->next.isActive()) {
        m_pace->next.start(static_cast<int>(kUpdateIntervalMs - waited));
    }
}

void TokenStream::drain()
{
    if (m_pace->ended) {
        return;
    }
    m_pace->next.stop();
    std::string text;
    std::string reasoning;
    StreamUpdate update;
    bool changed = false;
    bool closed = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        text.swap(m_shared->answer.unread);
        reasoning.swap(m_shared->reasoning.unread);
        update.turned = std::exchange(m_shared->turned, false);
        m_shared->woken = false;
        changed = std::exchange(m_shared->changed, false);
        closed = m_shared->closed;
        update.tokens = m_shared->tokens;
        update.promptDone = m_shared->promptDone;
        update.promptTotal = m_shared->promptTotal;
        update.leftOut = m_shared->leftOut;
        update.tokensPerSecond = m_shared->tokensPerSecond();
        update.promptSecondsLeft = m_shared->promptSecondsLeft();
        m_shared->roomOrGone.notify_all();
    }
    m_pace->hadWords = m_pace->hadWords || !text.empty() || !reasoning.empty();
    m_pace->ended = closed;
    if (changed) {
        m_pace->sinceUpdate.start();
        update.text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
        update.reasoning =
            QString::fromUtf8(reasoning.data(), static_cast<qsizetype>(reasoning.size()));
        const QPointer<TokenStream> alive(this);
        Q_EMIT updated(update);
        if (!alive) {
            return;
        }
    }
    if (closed) {
        Q_EMIT ended();
    }
}

} // namespace app
