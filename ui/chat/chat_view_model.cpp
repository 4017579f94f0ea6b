// The chat that is shown.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view_model.h"

#include "ui/chat/answer_figures.h"
#include "ui/chat/sample_prompts.h"

#include <QtCore/QLocale>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <cmath>
#include <utility>

using app::Chat;
using app::Generation;
using app::InferenceService;
using app::Outcome;
using State = app::InferenceService::State;

ChatViewModel::ChatViewModel(InferenceService& service, app::ChatBook& book,
                             app::TokenCounter& counter, QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_book(book)
    , m_draft(book, counter)
{
    connect(&service, &InferenceService::stateChanged, this, &ChatViewModel::onServiceChanged);
    connect(&service, &InferenceService::fileChanged, this, &ChatViewModel::canSendChanged);
    connect(&service, &InferenceService::loaded, this, [this] {
        Q_EMIT progressChanged();
        onLoadEnded({});
    });
    connect(&service, &InferenceService::loadFailed, this,
            [this](const app::ErrorMessage& error) { onLoadEnded(error.text()); });
    connect(&service, &InferenceService::loadCancelled, this,
            [this] { onLoadEnded(tr("Loading was cancelled.")); });
    connect(&book, &app::ChatBook::currentChanged, this, &ChatViewModel::onCurrentChanged);
    connect(&book, &app::ChatBook::answeringChanged, this, [this] {
        Q_EMIT answeringChanged();
        Q_EMIT canSendChanged();
        Q_EMIT idleChanged();
    });
    connect(&m_draft, &DraftViewModel::emptyChanged, this, &ChatViewModel::canSendChanged);
    onCurrentChanged();
}

ChatViewModel::~ChatViewModel() = default;

void ChatViewModel::onCurrentChanged()
{
    Chat& shown = chat();
    if (m_shown) {
        m_shown->disconnect(this); // it may be answered in the background
    }
    m_shown = &shown;
    m_conversation.setChat(&shown);
    connect(&shown, &Chat::answerGrew, this,
            [this](const QString& added) { Q_EMIT answerText(added); });
    connect(&shown, &Chat::answerEnded, this, &ChatViewModel::onAnswerEnded);
    connect(&shown, &Chat::failed, this, &ChatViewModel::onFailed);
    connect(&shown, &Chat::summaryChanged, this, &ChatViewModel::titleChanged);
    connect(&shown, &Chat::draftReturned, this, [this] { m_draft.reload(); });
    connect(&shown, &Chat::progressChanged, this, &ChatViewModel::progressChanged);
    connect(&shown, &Chat::pathChanged, this, &ChatViewModel::progressChanged);
    m_draft.reload();
    setNotice({}, false);
    setUndoText({});
    Q_EMIT titleChanged();
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT canSendChanged();
    Q_EMIT idleChanged();
}

QString ChatViewModel::title() const
{
    const QString title = chat().record().title;
    return title.isEmpty() ? tr("New chat") : title;
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
    if (const QString elsewhere = answeringElsewhere(); !elsewhere.isEmpty()) {
        return tr("“%1” is being answered. Wait for it, or stop it.").arg(elsewhere);
    }
    if (!isModelReady() || isAnswering()) {
        return tr("Wait for the answer, or stop it with Esc.");
    }
    if (m_draft.isEmpty()) {
        return tr("Type a message.");
    }
    return {};
}

QString ChatViewModel::answeringElsewhere() const
{
    const Chat* other = m_book.answering();
    return other == nullptr || other == &chat() ? QString() : other->record().title;
}

bool ChatViewModel::isReading() const
{
    const Generation* generation = chat().generation();
    return generation != nullptr
        && (generation->phase() == Generation::Phase::Waiting
            || generation->phase() == Generation::Phase::Prompt);
}

int ChatViewModel::promptDone() const
{
    const Generation* generation = chat().generation();
    return generation != nullptr ? static_cast<int>(generation->progress().promptDone) : 0;
}

int ChatViewModel::promptTotal() const
{
    const Generation* generation = chat().generation();
    return generation != nullptr ? static_cast<int>(generation->progress().promptTotal) : 0;
}

QString ChatViewModel::promptLeft() const
{
    const Generation* generation = chat().generation();
    const auto seconds = generation != nullptr ? generation->promptSecondsLeft() : std::nullopt;
    if (!seconds) {
        return {};
    }
    const auto whole = static_cast<int>(std::ceil(*seconds));
    return whole < 90 ? tr("about %1 s left").arg(whole)
                      : tr("about %1 min left").arg((whole + 59) / 60);
}

int ChatViewModel::answerTokens() const
{
    const Generation* generation = chat().generation();
    return generation != nullptr ? static_cast<int>(generation->progress().tokens) : 0;
}

bool ChatViewModel::isContextFull() const
{
    if (isAnswering() || chat().isEmpty()) {
        return false;
    }
    const auto& outcome = chat().tree().at(chat().tree().leaf()).outcome;
    return outcome && outcome->finish == Outcome::Finish::Context;
}

bool ChatViewModel::isIdle() const
{
    const State state = m_service.state();
    return (state == State::Empty || state == State::Ready) && m_book.answering() == nullptr
        && m_pending.isEmpty() && !chat().isBusy();
}

QStringList ChatViewModel::sampleTitles() const
{
    return samplePrompts().titles;
}

QStringList ChatViewModel::sampleQuestions() const
{
    return samplePrompts().questions;
}

void ChatViewModel::setTemperature(float temperature)
{
    m_temperature = temperature;
}

void ChatViewModel::askWhenReady(const QString& text)
{
    m_pending = text;
    if (isModelReady()) {
        onLoadEnded({});
    }
    Q_EMIT idleChanged();
}

void ChatViewModel::send()
{
    if (!canSend()) {
        return;
    }
    begun();
    chat().ask();
    m_draft.reload();
}

void ChatViewModel::ask(const QString& text)
{
    if (canAsk() && !text.trimmed().isEmpty()) {
        begun();
        chat().ask(app::Draft { text, {} });
    }
}

void ChatViewModel::begun()
{
    setNotice({}, false);
    setUndoText({});
    if (m_temperature) {
        QJsonObject sampler = chat().record().sampler;
        sampler[QStringLiteral("temperature")] = *m_temperature;
        chat().setSampler(sampler);
    }
}

void ChatViewModel::stop()
{
    if (Chat* running = m_book.answering()) {
        running->stop();
    }
}

void ChatViewModel::startAnew()
{
    m_pending.clear();
    m_book.startNew();
    Q_EMIT idleChanged();
}

void ChatViewModel::regenerate(int message)
{
    const app::MessageId id = m_conversation.messageId(message);
    if (id == 0 || !canAsk()) {
        return;
    }
    begun();
    if (m_conversation.isQuestion(message)) {
        chat().answerQuestion(id);
    } else {
        chat().regenerate(id);
    }
}

void ChatViewModel::resend(int message, const QString& text)
{
    if (const app::MessageId id = m_conversation.messageId(message); id != 0 && canAsk()) {
        begun();
        chat().resend(id, text);
    }
}

void ChatViewModel::remove(int message)
{
    const app::MessageId id = m_conversation.messageId(message);
    if (id == 0 || isAnswering()) {
        return;
    }
    const bool alone = m_conversation.isQuestion(message) || chat().tree().siblings(id).size() == 1;
    chat().remove(id);
    setUndoText(alone ? tr("The question and its answer were deleted.")
                      : tr("The answer was deleted."));
}

void ChatViewModel::undo()
{
    if (chat().canUndo()) {
        chat().undo();
        setUndoText({});
    }
}

void ChatViewModel::dismissUndo()
{
    setUndoText({});
}

void ChatViewModel::showAlternative(int message, int step)
{
    const app::MessageId id = m_conversation.messageId(message);
    if (id == 0) {
        return;
    }
    const auto siblings = chat().tree().siblings(id);
    const qsizetype next = siblings.indexOf(id) + step;
    if (next >= 0 && next < siblings.size()) {
        chat().show(siblings.at(next));
    }
}

int ChatViewModel::lastQuestion() const
{
    for (int message = m_conversation.messageCount() - 1; message >= 0; --message) {
        if (m_conversation.isQuestion(message)) {
            return message;
        }
    }
    return -1;
}

QString ChatViewModel::questionText(int message) const
{
    return m_conversation.isQuestion(message) ? m_conversation.messageText(message) : QString();
}

void ChatViewModel::copyMessage(int message)
{
    if (m_conversation.messageId(message) != 0) {
        copy(m_conversation.messageText(message));
    }
}

void ChatViewModel::copyReasoning(int message)
{
    copy(m_conversation.reasoningText(message).trimmed());
}

void ChatViewModel::copy(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

void ChatViewModel::usePlainPrompt()
{
    setNotice({}, false);
    chat().setPlainPrompt(true);
    const app::MessageTree& tree = chat().tree();
    const app::MessageId last = tree.leaf();
    if (last != 0 && tree.at(last).role == app::MessageRecord::Role::Assistant
        && tree.at(last).text.isEmpty()) {
        chat().regenerate(last); // its question stayed, as another is being written
    } else if (canSend()) {
        send(); // the question that failed is the draft again
    }
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
    m_book.startNew();
    if (isModelReady()) {
        ask(text);
    } else {
        m_draft.setText(text);
        Q_EMIT answered(error);
    }
    Q_EMIT idleChanged();
}

void ChatViewModel::onAnswerEnded(app::MessageId answer)
{
    const app::MessageRecord& message = chat().tree().at(answer);
    m_announcement = message.text.isEmpty() ? answerFigures(*message.outcome)
                                            : tr("Answer: %1").arg(message.text);
    Q_EMIT announced();
    if (message.outcome->finish != Outcome::Finish::Failed) {
        Q_EMIT answered({});
    }
}

void ChatViewModel::onFailed(const app::ErrorMessage& error)
{
    setNotice(Notice(error), error.code.startsWith(QLatin1String("template-")));
    m_announcement = error.what;
    Q_EMIT announced();
    Q_EMIT answered(error.text());
}

void ChatViewModel::setNotice(const Notice& notice, bool templateFailed)
{
    if (notice != m_notice || templateFailed != m_templateFailed) {
        m_notice = notice;
        m_templateFailed = templateFailed;
        Q_EMIT noticeChanged();
    }
}

void ChatViewModel::setUndoText(const QString& text)
{
    if (text != m_undoText) {
        m_undoText = text;
        Q_EMIT undoChanged();
    }
}
