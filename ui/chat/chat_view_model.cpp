// A conversation as the window shows it.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view_model.h"

#include "ui/chat/sample_prompts.h"

#include <QtCore/QLocale>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <utility>

using app::Generation;
using app::InferenceService;
using app::Outcome;
using State = app::InferenceService::State;

namespace {

QString speedText(double tokensPerSecond)
{
    // Three figures are what a measurement like this is good for.
    const int decimals = tokensPerSecond >= 100 ? 0 : 1;
    return ChatViewModel::tr("%1 tokens/s").arg(QLocale().toString(tokensPerSecond, 'f', decimals));
}

QString durationText(double ms)
{
    const QLocale locale;
    return ms < 10'000 ? ChatViewModel::tr("%1 ms").arg(locale.toString(ms, 'f', 0))
                       : ChatViewModel::tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
}

QString finishText(Outcome::Finish finish)
{
    switch (finish) {
    case Outcome::Finish::End:
        return ChatViewModel::tr("stopped: end of turn");
    case Outcome::Finish::Length:
        return ChatViewModel::tr("stopped: length limit");
    case Outcome::Finish::Stop:
        return ChatViewModel::tr("stopped: stop text");
    case Outcome::Finish::Context:
        return ChatViewModel::tr("stopped: context full");
    case Outcome::Finish::Cancelled:
        return ChatViewModel::tr("stopped by you");
    case Outcome::Finish::Failed:
        return ChatViewModel::tr("stopped: error");
    }
    return {};
}

} // namespace

ChatViewModel::ChatViewModel(InferenceService& service, QObject* parent)
    : QObject(parent)
    , m_service(service)
{
    connect(&service, &InferenceService::stateChanged, this, &ChatViewModel::onServiceChanged);
    connect(&service, &InferenceService::fileChanged, this, &ChatViewModel::canSendChanged);
    connect(&service, &InferenceService::loaded, this, [this] { onLoadEnded({}); });
    connect(&service, &InferenceService::loadFailed, this,
            [this](const app::ErrorMessage& error) { onLoadEnded(error.text()); });
    connect(&service, &InferenceService::loadCancelled, this,
            [this] { onLoadEnded(tr("Loading was cancelled.")); });
}

ChatViewModel::~ChatViewModel()
{
    if (m_generation) {
        m_generation->disconnect(this);
    }
}

void ChatViewModel::setDraft(const QString& draft)
{
    if (draft != m_draft) {
        m_draft = draft;
        Q_EMIT draftChanged();
        Q_EMIT canSendChanged();
    }
}

bool ChatViewModel::isModelReady() const
{
    return m_service.state() == State::Ready && !m_service.isFileChanged();
}

QString ChatViewModel::obstacle() const
{
    if (m_service.state() == State::Loading) {
        return tr("The model is being loaded.");
    }
    if (!m_service.hasModel()) {
        return tr("Open a model first (Ctrl+O).");
    }
    if (m_service.isFileChanged()) {
        return tr("The model's file was changed. Load it again.");
    }
    if (!isModelReady() || m_generation) {
        return tr("Wait for the answer, or stop it with Esc.");
    }
    if (m_draft.trimmed().isEmpty()) {
        return tr("Type a message.");
    }
    return {};
}

bool ChatViewModel::isReading() const
{
    return m_generation
        && (m_generation->phase() == Generation::Phase::Waiting
            || m_generation->phase() == Generation::Phase::Prompt);
}

int ChatViewModel::promptDone() const
{
    return m_generation ? static_cast<int>(m_generation->progress().promptDone) : 0;
}

int ChatViewModel::promptTotal() const
{
    return m_generation ? static_cast<int>(m_generation->progress().promptTotal) : 0;
}

int ChatViewModel::answerTokens() const
{
    return m_generation ? static_cast<int>(m_generation->progress().tokens) : 0;
}

bool ChatViewModel::isIdle() const
{
    const State state = m_service.state();
    return (state == State::Empty || state == State::Ready) && !m_generation && m_pending.isEmpty();
}

QStringList ChatViewModel::sampleTitles() const
{
    return samplePrompts().titles;
}

QStringList ChatViewModel::sampleQuestions() const
{
    return samplePrompts().questions;
}

void ChatViewModel::askWhenReady(const QString& text)
{
    if (isModelReady()) {
        ask(text);
        return;
    }
    m_pending = text;
    Q_EMIT idleChanged();
}

void ChatViewModel::send()
{
    if (!canSend()) {
        return;
    }
    // Taken out first: a failure that comes at once puts the text back.
    const QString text = m_draft.trimmed();
    setDraft({});
    ask(text);
}

void ChatViewModel::ask(const QString& text)
{
    if (!isModelReady() || m_generation || text.isEmpty()) {
        return;
    }
    setNotice({});
    setContextFull(false);
    m_messages.addTurn(text);
    m_generation = m_service.ask(m_messages.conversation(), m_options);
    Q_ASSERT(m_generation);
    connect(m_generation, &Generation::textAdded, this, [this](const QString& added) {
        m_messages.appendToAnswer(added);
        Q_EMIT answerText(added);
        Q_EMIT progressChanged();
    });
    connect(m_generation, &Generation::phaseChanged, this, &ChatViewModel::progressChanged);
    connect(m_generation, &Generation::promptProgress, this, &ChatViewModel::progressChanged);
    connect(m_generation, &Generation::finished, this, &ChatViewModel::onFinished);
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT canSendChanged();
    Q_EMIT idleChanged();
}

void ChatViewModel::stop()
{
    if (m_generation) {
        m_generation->stop();
    }
}

void ChatViewModel::startAnew()
{
    if (m_generation) {
        m_generation->stop();
        release();
    }
    m_pending.clear();
    m_messages.clear();
    m_service.resetContextUsed();
    setNotice({});
    setContextFull(false);
    Q_EMIT idleChanged();
}

void ChatViewModel::copy(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

QString ChatViewModel::statistics(const Outcome& outcome)
{
    QStringList parts;
    if (outcome.tokensPerSecond > 0) {
        parts << speedText(outcome.tokensPerSecond);
    }
    if (outcome.tokens > 0) {
        parts << tr("first token %1").arg(durationText(outcome.firstTokenMs));
        parts << (outcome.tokens == 1
                      ? tr("1 token")
                      : tr("%1 tokens")
                            .arg(QLocale().toString(static_cast<qulonglong>(outcome.tokens))));
    }
    parts << finishText(outcome.finish);
    return parts.join(QStringLiteral("  ·  "));
}

void ChatViewModel::onServiceChanged()
{
    Q_EMIT canSendChanged();
    Q_EMIT idleChanged();
}

void ChatViewModel::onLoadEnded(const QString& error)
{
    if (m_pending.isEmpty()) {
        return;
    }
    const QString text = std::exchange(m_pending, {});
    if (isModelReady()) {
        ask(text);
    } else {
        setDraft(text);
        Q_EMIT answered(error);
    }
    Q_EMIT idleChanged();
}

void ChatViewModel::onFinished()
{
    const Outcome outcome = m_generation->outcome();
    const bool empty = m_generation->text().isEmpty();
    release();
    if (outcome.finish == Outcome::Finish::Failed) {
        m_messages.finishAnswer(statistics(outcome));
        if (empty) {
            const QString question = m_messages.takeLastTurn();
            if (m_draft.isEmpty()) {
                setDraft(question);
            }
        }
        setNotice(outcome.error ? Notice(*outcome.error) : Notice());
    } else {
        m_messages.finishAnswer(statistics(outcome));
    }
    setContextFull(outcome.finish == Outcome::Finish::Context);
    Q_EMIT answered(outcome.error ? outcome.error->text() : QString());
    Q_EMIT idleChanged();
}

void ChatViewModel::release()
{
    m_generation->disconnect(this);
    m_generation.clear();
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT canSendChanged();
}

void ChatViewModel::setNotice(const Notice& notice)
{
    if (notice != m_notice) {
        m_notice = notice;
        Q_EMIT noticeChanged();
    }
}

void ChatViewModel::setContextFull(bool full)
{
    if (full != m_contextFull) {
        m_contextFull = full;
        Q_EMIT contextFullChanged();
    }
}
