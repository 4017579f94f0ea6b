#include "app/services/generation.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace app {

Generation::Generation(quint64 id, QObject* parent)
    : QObject(parent)
    , m_id(id)
{
    connect(&m_stream, &TokenStream::updated, this, &Generation::onUpdated);
    connect(&m_stream, &TokenStream::ended, this, [this] {
        m_streamEnded = true;
        finishWhenComplete();
    });
}

Generation::~Generation()
{
    m_stop.request_stop();
}

void Generation::stop()
{
    m_stop.request_stop();
}

void Generation::setPhase(Phase phase)
{
    if (m_phase != phase) {
        m_phase = phase;
        Q_EMIT phaseChanged();
    }
}

void Generation::onUpdated(const StreamUpdate& update)
{
    const bool promptMoved =
        update.promptDone != m_progress.promptDone || update.promptTotal != m_progress.promptTotal;
    m_progress = update;
    m_progress.text.clear();
    m_progress.reasoning.clear();
    m_sinceUpdate.start();
    take(update);

    const QPointer<Generation> alive(this);
    if (update.promptTotal > 0 && !std::exchange(m_fitted, true)) {
        Q_EMIT promptFitted();
        if (!alive) {
            return;
        }
    }
    if (update.tokens > 0 || !update.text.isEmpty() || !update.reasoning.isEmpty()) {
        setPhase(Phase::Answer);
    } else if (update.promptTotal > 0) {
        setPhase(Phase::Prompt);
    }
    if (alive && promptMoved) {
        Q_EMIT promptProgress(static_cast<qsizetype>(update.promptDone),
                              static_cast<qsizetype>(update.promptTotal));
    }
    if (alive && update.turned) {
        Q_EMIT turned();
    }
    if (alive && !update.reasoning.isEmpty()) {
        Q_EMIT reasoningAdded(update.reasoning);
    }
    if (alive && !update.text.isEmpty()) {
        Q_EMIT textAdded(update.text);
    }
}

void Generation::take(const StreamUpdate& update)
{
    if (update.turned) {
        m_reasoning += std::exchange(m_text, {});
        m_reasoningMs = 0;
    }
    m_reasoning += update.reasoning;
    m_text += update.text;
    if (!m_reasoning.isEmpty() && !m_sinceReasoning.isValid()) {
        m_sinceReasoning.start();
    }
    if (!m_text.isEmpty() && m_reasoningMs == 0) {
        m_reasoningMs = reasoningMs();
    }
}

double Generation::reasoningMs() const
{
    if (m_reasoningMs > 0 || !m_sinceReasoning.isValid()) {
        return m_reasoningMs;
    }
    return static_cast<double>(m_sinceReasoning.elapsed());
}

std::optional<double> Generation::promptSecondsLeft() const
{
    if (m_phase != Phase::Prompt || !m_progress.promptSecondsLeft) {
        return std::nullopt;
    }
    const double since = static_cast<double>(m_sinceUpdate.elapsed()) / 1000.0;
    return std::max(0.0, *m_progress.promptSecondsLeft - since);
}

void Generation::complete(Outcome outcome)
{
    m_arrivedOutcome = std::move(outcome);
    finishWhenComplete();
}

void Generation::flush()
{
    m_stream.drain();
}

void Generation::finishWhenComplete()
{
    if (!m_streamEnded || !m_arrivedOutcome || isFinished()) {
        return;
    }
    m_outcome = *std::exchange(m_arrivedOutcome, std::nullopt);
    const QPointer<Generation> alive(this);
    setPhase(Phase::Finished);
    if (alive) {
        Q_EMIT finished();
    }
}

} // namespace app
