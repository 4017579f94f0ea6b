// One request to the model: its answer as it grows, how to stop it, and how it ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/token_stream.h"
#include "engine/session/generate.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <optional>
#include <stop_token>

namespace app {

class InferenceService;

/// How a generation ended. Stopping is a finish reason, not an error.
struct Outcome
{
    enum class Finish { End, Length, Stop, Context, Cancelled, Failed };

    Finish finish = Finish::End;
    std::size_t tokens = 0; ///< answer tokens
    double tokensPerSecond = 0; ///< of decoding; 0 when fewer than two tokens were made
    double firstTokenMs =
        0; ///< from the question to the first token, tokenizing included; 0 without one
    double reasoningMs = 0; ///< how long the model thought, from its first word to its last
    std::size_t promptTokens = 0; ///< the whole prompt
    std::size_t leftOut = 0; ///< messages that did not fit into the prompt
    std::size_t reusedTokens = 0; ///< of these, found in the cache
    double promptTokensPerSecond = 0; ///< of those that were evaluated
    std::optional<ErrorMessage> error; ///< with Finish::Failed
};

/// Made by InferenceService::ask, which owns it: valid until the next `ask` or the end of the
/// service (keep a QPointer). Lives on the GUI thread.
class Generation : public QObject
{
    Q_OBJECT

public:
    enum class Phase { Waiting, Prompt, Answer, Finished };
    Q_ENUM(Phase)

    ~Generation() override;

    [[nodiscard]] quint64 id() const { return m_id; }
    [[nodiscard]] Phase phase() const { return m_phase; }
    [[nodiscard]] bool isFinished() const { return m_phase == Phase::Finished; }
    /// The answer so far; never holds an error. It grows at its end: a copy that is kept makes the
    /// next update copy all of it.
    [[nodiscard]] const QString& text() const { return m_text; }
    /// What the model thought before the answer, so far; the same holds for copies.
    [[nodiscard]] const QString& reasoning() const { return m_reasoning; }
    /// How long it has been thinking: until now, or until the answer began. 0 before it thinks.
    [[nodiscard]] double reasoningMs() const;
    /// The latest counters.
    [[nodiscard]] const StreamUpdate& progress() const { return m_progress; }
    /// So many messages behind the system message are not in the prompt; known from promptFitted
    /// on.
    [[nodiscard]] std::size_t leftOut() const { return m_progress.leftOut; }
    /// How long the rest of the prompt will take, by what was evaluated so far; nothing while that
    /// is too little to tell, and after the prompt. Counts down between updates.
    [[nodiscard]] std::optional<double> promptSecondsLeft() const;
    /// Complete once finished.
    [[nodiscard]] const Outcome& outcome() const { return m_outcome; }

    /// Asks the engine to end; returns at once. `finished` follows, with what was written until
    /// then.
    void stop();

Q_SIGNALS:
    void phaseChanged();
    /// Once, when the prompt is there: leftOut is known.
    void promptFitted();
    /// Prompt tokens evaluated; at most 30 times a second.
    void promptProgress(qsizetype done, qsizetype total);
    /// New text of the answer; at most 30 times a second, whole characters.
    void textAdded(const QString& text);
    /// The same for what the model thinks; comes before textAdded of one update.
    void reasoningAdded(const QString& text);
    /// What was text is reasoning now, and text is empty; comes before both.
    void turned();
    /// Once, last of all signals, after the last textAdded.
    void finished();

private:
    friend class InferenceService;
    Generation(quint64 id, QObject* parent);

    void setPhase(Phase phase);
    void onUpdated(const StreamUpdate& update);
    void take(const StreamUpdate& update);
    /// The outcome is known; `finished` follows once the text is handed out.
    void complete(Outcome outcome);
    /// Hands out the rest of the text now, whatever the pace.
    void flush();
    void finishWhenComplete();

    quint64 m_id;
    std::stop_source m_stop;
    TokenStream m_stream;
    QString m_text;
    QString m_reasoning;
    QElapsedTimer m_sinceReasoning;
    double m_reasoningMs = 0; ///< once the answer has begun
    StreamUpdate m_progress;
    Outcome m_outcome;
    Phase m_phase = Phase::Waiting;
    QElapsedTimer m_sinceUpdate;
    bool m_fitted = false;
    bool m_streamEnded = false;
    std::optional<Outcome> m_arrivedOutcome;
};

} // namespace app
