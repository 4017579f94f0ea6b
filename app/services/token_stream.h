// A bounded stream of answer text from the inference thread to the GUI thread, at most 30 updates a
// second. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/mailbox.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

namespace app {

/// What arrived since the last update.
struct StreamUpdate
{
    /// All text handed out before was reasoning; new reasoning and text come behind that.
    bool turned = false;
    QString reasoning; ///< new reasoning only
    QString text; ///< new text only
    std::size_t tokens = 0; ///< answer tokens so far
    std::size_t promptDone = 0; ///< prompt tokens evaluated so far
    std::size_t promptTotal = 0; ///< 0 before the prompt is tokenized
    std::size_t leftOut = 0; ///< messages that did not fit into the prompt
    double tokensPerSecond = 0; ///< of the answer so far; 0 before its second token
    /// Until the prompt is read, as of this update: by the rate of the tokens evaluated so far,
    /// those found in the cache aside. Nothing before there are 300 ms of evidence.
    std::optional<double> promptSecondsLeft;
};

/// The producing end. One thread uses it; may outlive the TokenStream.
class TokenSink
{
public:
    struct Shared;
    explicit TokenSink(std::shared_ptr<Shared> shared);
    ~TokenSink();

    /// Hands on text (bytes may break inside a character: whole characters only arrive) and the
    /// number of answer tokens so far. Waits while 64 KiB lie unread, until there is room, `stop`
    /// is requested, or the stream is gone; in the last two cases what does not fit is dropped.
    void push(std::string_view text, std::size_t tokens, const std::stop_token& stop);
    /// The same for what the model thinks.
    void pushReasoning(std::string_view text, std::size_t tokens, const std::stop_token& stop);
    /// All text so far was reasoning. Never waits.
    void turn();
    /// The first call behind one with 0 done tells what the cache held. Never waits.
    void setPromptProgress(std::size_t done, std::size_t total);
    /// Before the first progress. Never waits.
    void setLeftOut(std::size_t messages);
    /// Nothing follows. Never waits.
    void close();

private:
    struct Part;
    void push(Part& part, std::string_view text, std::size_t tokens, const std::stop_token& stop);

    std::shared_ptr<Shared> m_shared;
};

/// The consuming end; lives on the thread that made it (the GUI thread), which never waits.
///
/// The producer wakes that thread once a drain. Updates are at least kUpdateIntervalMs apart, but
/// the first words come at once.
class TokenStream : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t kCapacity = 64 * 1024;
    static constexpr int kUpdateIntervalMs = 34;

    explicit TokenStream(QObject* parent = nullptr);
    ~TokenStream() override;

    /// The one producing end.
    [[nodiscard]] std::shared_ptr<TokenSink> sink() const;
    /// The most bytes that ever lay unread, and how often the producer woke this thread (tests,
    /// logs).
    [[nodiscard]] std::size_t highWaterMark() const;
    [[nodiscard]] std::size_t wakeUps() const;

Q_SIGNALS:
    void updated(const app::StreamUpdate& update);
    /// The producer closed the stream and everything was handed out.
    void ended();

private:
    friend class Generation;
    void onWakeUp();
    /// Hands out what is there now, whatever the pace.
    void drain();

    struct Pace;
    Mailbox m_mailbox;
    std::shared_ptr<TokenSink::Shared> m_shared;
    std::shared_ptr<TokenSink> m_sink;
    std::unique_ptr<Pace> m_pace;
};

} // namespace app
