#include "app/services/chat.h"

#include "app/services/chat_title.h"
#include "app/services/sampler_settings.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace app {

namespace {

using engine::chat::Message;
using Role = MessageRecord::Role;

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

/// A fence that no line of the text can close.
QString fenceAround(const QString& text)
{
    qsizetype longest = 2;
    qsizetype run = 0;
    for (const QChar character : text) {
        run = character == u'`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return QString(longest + 1, u'`');
}

/// A question as the model reads it. These words are for the model, hence not translated.
std::string contentOf(const MessageRecord& message)
{
    QString content = message.text;
    for (const Attachment& attachment : message.attachments) {
        const QString fence = fenceAround(attachment.text);
        if (!content.isEmpty()) {
            content += QLatin1String("\n\n");
        }
        content += QLatin1String("Attached text \"") + attachment.name + QLatin1String("\":\n")
            + fence + u'\n' + attachment.text
            + (attachment.text.endsWith(u'\n') ? QLatin1String("") : QLatin1String("\n")) + fence;
    }
    return content.toStdString();
}

} // namespace

Chat::Chat(const ChatRecord& record, const QList<MessageRecord>& messages,
           InferenceService& service, ChatStore& store, QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_store(store)
    , m_record(record)
{
    if (m_record.id == 0) {
        m_record.id = newRecordId();
        m_record.created = now();
        m_record.updated = m_record.created;
    }
    m_tree.reset(messages, record.leaf);
    m_saving.setSingleShot(true);
    m_saving.setInterval(kSaveIntervalMs);
    connect(&m_saving, &QTimer::timeout, this, [this] {
        if (m_answer != 0) {
            saveMessage(m_answer);
        }
    });
}

Chat::~Chat()
{
    if (m_generation) {
        m_generation->disconnect(this);
        m_generation->stop();
        MessageRecord& answer = m_tree.edit(m_answer);
        answer.whole = true;
        answer.outcome = Outcome {};
        answer.outcome->finish = Outcome::Finish::Cancelled;
        answer.outcome->reasoningMs = m_generation->reasoningMs();
        saveMessage(m_answer);
    }
    if (m_titleGeneration) {
        m_titleGeneration->disconnect(this);
        m_titleGeneration->stop();
    }
}

ChatSummary Chat::summary() const
{
    const QString title = m_record.titleOrigin == ChatRecord::TitleOrigin::None
        ? titleFromQuestion(m_record.draft.text)
        : m_record.title;
    return { m_record.id, title, m_record.updated };
}

void Chat::setTitle(const QString& title)
{
    const QString said = title.simplified();
    if (said.isEmpty() || said == m_record.title) {
        return;
    }
    m_record.title = said;
    m_record.titleOrigin = ChatRecord::TitleOrigin::Person;
    save();
    Q_EMIT summaryChanged();
}

void Chat::setSystemPrompt(const QString& text)
{
    if (text != m_record.systemPrompt) {
        m_record.systemPrompt = text;
        save();
        Q_EMIT steeringChanged();
    }
}

void Chat::setSampler(const QJsonObject& changes)
{
    if (changes != m_record.sampler) {
        m_record.sampler = changes;
        save();
        Q_EMIT steeringChanged();
    }
}

void Chat::setPlainPrompt(bool plain)
{
    if (plain != m_record.plainPrompt) {
        m_record.plainPrompt = plain;
        save();
        Q_EMIT steeringChanged();
    }
}

void Chat::setThinking(bool thinking)
{
    if (thinking != m_record.thinking) {
        m_record.thinking = thinking;
        save();
        Q_EMIT steeringChanged();
    }
}

void Chat::setDraft(const Draft& draft)
{
    if (draft == m_record.draft) {
        return;
    }
    const bool kept = isKept();
    m_record.draft = draft;
    if (kept && !isKept()) {
        m_store.saveChat(m_record);
        m_store.setChatDeleted(m_record.id, true); // it was nothing but a draft
        Q_EMIT summaryChanged();
    } else {
        save();
    }
}

bool Chat::mayAsk() const
{
    return m_service.state() == InferenceService::State::Ready && !isAnswering();
}

bool Chat::ask()
{
    // Taken out first: a failure that comes at once puts the text back.
    const Draft before = std::exchange(m_record.draft, {});
    if (ask(before)) {
        return true;
    }
    m_record.draft = before;
    return false;
}

bool Chat::ask(const Draft& asked)
{
    const Draft question { asked.text.trimmed(), asked.attachments };
    if (question.isEmpty() || !mayAsk()) {
        return false;
    }
    MessageRecord message;
    message.id = newRecordId();
    message.chat = m_record.id;
    message.parent = m_tree.leaf();
    message.role = Role::User;
    message.text = question.text;
    message.attachments = question.attachments;
    message.created = now();
    const MessageId leafBefore = m_tree.leaf();
    m_tree.add(message);
    if (m_record.titleOrigin == ChatRecord::TitleOrigin::None) {
        m_record.title = titleFromQuestion(
            question.text.isEmpty() ? question.attachments.constFirst().name : question.text);
        m_record.titleOrigin = ChatRecord::TitleOrigin::Question;
    }
    touch();
    saveMessage(message.id);
    return begin(message.id, leafBefore, true);
}

bool Chat::regenerate(MessageId answer)
{
    return m_tree.contains(answer) && m_tree.at(answer).role == Role::Assistant
        && answerQuestion(m_tree.parentOf(answer));
}

bool Chat::answerQuestion(MessageId question)
{
    if (!m_tree.contains(question) || m_tree.at(question).role != Role::User || !mayAsk()) {
        return false;
    }
    const MessageId leafBefore = m_tree.leaf();
    m_tree.showBranchTo(question);
    return begin(question, leafBefore, false);
}

bool Chat::resend(MessageId question, const QString& text)
{
    if (!m_tree.contains(question) || m_tree.at(question).role != Role::User
        || text.trimmed().isEmpty() || !mayAsk()) {
        return false;
    }
    MessageRecord message = m_tree.at(question);
    message.id = newRecordId();
    message.parent = m_tree.parentOf(question);
    message.text = text.trimmed();
    message.created = now();
    const MessageId leafBefore = m_tree.leaf();
    m_tree.add(message);
    saveMessage(message.id);
    return begin(message.id, leafBefore, true);
}

bool Chat::begin(MessageId question, MessageId leafBefore, bool newQuestion)
{
    AskRequest request;
    m_asked.clear();
    request.messages = conversation(&m_asked);
    request.options.sampler = sampler();
    request.format = m_record.plainPrompt ? PromptFormat::Plain : PromptFormat::Model;
    request.thinking = m_record.thinking;
    m_asked.removeAll(0);
    // What was left out for another context, or in another run, is found anew: nothing of it is in
    // the cache.
    if (m_record.firstSeen != 0 && m_cutLength == m_service.facts().contextLength) {
        request.leftOut =
            static_cast<std::size_t>(std::max<qsizetype>(0, m_asked.indexOf(m_record.firstSeen)));
    }
    m_generation = m_service.ask(std::move(request));
    Q_ASSERT(m_generation);
    m_leafBefore = leafBefore;
    m_newQuestion = newQuestion;

    MessageRecord answer;
    answer.id = newRecordId();
    answer.chat = m_record.id;
    answer.parent = question;
    answer.role = Role::Assistant;
    answer.created = now();
    answer.whole = false;
    answer.model = m_service.facts().displayName;
    m_record.modelPath = m_service.facts().path;
    m_answer = answer.id;
    m_tree.add(answer);
    touch();

    connect(m_generation, &Generation::textAdded, this, &Chat::onText);
    connect(m_generation, &Generation::reasoningAdded, this, &Chat::onReasoning);
    connect(m_generation, &Generation::turned, this, &Chat::onTurned);
    connect(m_generation, &Generation::phaseChanged, this, &Chat::progressChanged);
    connect(m_generation, &Generation::promptProgress, this, &Chat::progressChanged);
    connect(m_generation, &Generation::promptFitted, this, &Chat::onFitted);
    connect(m_generation, &Generation::finished, this, &Chat::onFinished);
    // The question, or the alternative it replaces, and all below.
    qsizetype from = m_tree.path().indexOf(question);
    Q_EMIT pathChanged(newQuestion ? from : from + 1);
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT summaryChanged();
    return true;
}

void Chat::stop()
{
    if (m_generation) {
        m_generation->stop();
    }
}

void Chat::onText(const QString& added)
{
    m_tree.edit(m_answer).text += added;
    saveSoon();
    Q_EMIT answerGrew(added);
    Q_EMIT progressChanged();
}

void Chat::onReasoning(const QString& added)
{
    m_tree.edit(m_answer).reasoning += added;
    saveSoon();
    Q_EMIT reasoningGrew(added);
    Q_EMIT progressChanged();
}

void Chat::onTurned()
{
    MessageRecord& answer = m_tree.edit(m_answer);
    answer.reasoning += std::exchange(answer.text, {});
    saveSoon();
    Q_EMIT answerTurned();
}

double Chat::reasoningMs(MessageId answer) const
{
    if (m_generation && answer == m_answer) {
        return m_generation->reasoningMs();
    }
    const auto& outcome = m_tree.at(answer).outcome;
    return outcome ? outcome->reasoningMs : 0;
}

void Chat::onFitted()
{
    const auto left = static_cast<qsizetype>(m_generation->leftOut());
    const MessageId first = left > 0 && left < m_asked.size() ? m_asked.at(left) : 0;
    m_cutLength = m_service.facts().contextLength;
    if (first != m_record.firstSeen) {
        m_record.firstSeen = first;
        save();
        Q_EMIT firstSeenChanged();
    }
}

void Chat::onFinished()
{
    const Outcome outcome = m_generation->outcome();
    m_generation->disconnect(this);
    m_generation.clear();
    m_saving.stop();
    const MessageId ended = std::exchange(m_answer, 0);
    MessageRecord& answer = m_tree.edit(ended);
    answer.whole = true;
    answer.outcome = outcome;
    // A question that can't go back to the draft, where another is being written, stays: it can be
    // asked again from there.
    const bool returns = !m_newQuestion || m_record.draft.isEmpty();
    const bool empty = answer.text.isEmpty() && answer.reasoning.isEmpty();
    if (outcome.finish == Outcome::Finish::Failed && empty && returns) {
        m_answer = ended;
        withdraw(outcome);
        return;
    }
    touch();
    saveMessage(ended);
    if (!outcome.error && outcome.finish != Outcome::Finish::Cancelled) {
        makeTitle();
    }
    Q_EMIT answerEnded(ended);
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT summaryChanged();
    if (outcome.error) {
        Q_EMIT failed(*outcome.error);
    }
}

/// The answer never came to be: as if it had not been asked for.
void Chat::withdraw(const Outcome& outcome)
{
    const MessageId answer = std::exchange(m_answer, 0);
    const MessageId question = m_tree.parentOf(answer);
    const MessageRecord asked = m_tree.at(question);
    const qsizetype from = m_tree.path().indexOf(question);
    m_tree.discard(m_newQuestion ? question : answer);
    m_tree.showBranchTo(m_leafBefore);
    if (m_newQuestion) {
        m_store.setMessagesDeleted({ question }, true);
        m_record.draft = { asked.text, asked.attachments };
        Q_EMIT draftReturned();
    }
    if (isEmpty() && m_record.titleOrigin == ChatRecord::TitleOrigin::Question) {
        m_record.titleOrigin = ChatRecord::TitleOrigin::None;
        m_record.title.clear();
    }
    touch();
    Q_EMIT pathChanged(m_newQuestion ? from : from + 1);
    Q_EMIT answeringChanged();
    Q_EMIT progressChanged();
    Q_EMIT summaryChanged();
    if (outcome.error) {
        Q_EMIT failed(*outcome.error);
    }
}

void Chat::show(MessageId sibling)
{
    if (!m_tree.contains(sibling) || isAnswering()) {
        return;
    }
    const QList<MessageId> before = m_tree.path();
    m_tree.show(sibling);
    const auto& after = m_tree.path();
    const auto parted = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    touch();
    Q_EMIT pathChanged(std::distance(before.begin(), parted.first));
}

void Chat::remove(MessageId message)
{
    if (!m_tree.contains(message) || isAnswering()) {
        return;
    }
    const bool answer = m_tree.at(message).role == Role::Assistant;
    const bool alone = m_tree.siblings(message).size() == 1;
    // An answer may have lost its question (a damaged file).
    const MessageId above = answer ? m_tree.parentOf(message) : 0;
    const MessageId question = above != 0 ? above : message;
    Deletion deletion { answer && !alone ? m_tree.below(message) : m_tree.turn(question),
                        m_tree.leaf() };
    const qsizetype from = m_tree.path().indexOf(answer && !alone ? message : question);
    m_tree.setDeleted(deletion.ids, true);
    m_store.setMessagesDeleted(deletion.ids, true);
    m_undo.push_back(std::move(deletion));
    touch();
    Q_EMIT pathChanged(std::max<qsizetype>(0, from));
    Q_EMIT undoChanged();
}

void Chat::undo()
{
    if (m_undo.empty() || isAnswering()) {
        return;
    }
    const Deletion deletion = m_undo.back();
    m_undo.pop_back();
    m_tree.setDeleted(deletion.ids, false, deletion.leaf);
    m_store.setMessagesDeleted(deletion.ids, false);
    touch();
    Q_EMIT pathChanged(0);
    Q_EMIT undoChanged();
}

std::size_t Chat::contextUsed() const
{
    if (m_generation) {
        return m_generation->progress().promptDone + m_generation->progress().tokens;
    }
    const auto& path = m_tree.path();
    for (auto id = path.crbegin(); id != path.crend(); ++id) {
        const auto& outcome = m_tree.at(*id).outcome;
        if (outcome && outcome->promptTokens > 0) {
            return outcome->promptTokens + outcome->tokens;
        }
    }
    return 0;
}

engine::session::SamplerOptions Chat::samplerDefaults() const
{
    return m_service.hasModel() ? m_service.facts().modelSampler
                                : engine::session::SamplerOptions {};
}

engine::session::SamplerOptions Chat::sampler() const
{
    return samplerWith(m_record.sampler, samplerDefaults());
}

std::vector<Message> Chat::conversation(QList<MessageId>* ids) const
{
    std::vector<Message> messages;
    const auto add = [&](MessageId id, engine::chat::Role role, std::string content,
                         std::string reasoning = {}) {
        messages.push_back({ role, std::move(content), std::move(reasoning) });
        if (ids != nullptr) {
            ids->append(id);
        }
    };
    if (!m_record.systemPrompt.trimmed().isEmpty()) {
        add(0, engine::chat::Role::System, m_record.systemPrompt.toStdString());
    }
    const auto& path = m_tree.path();
    for (qsizetype at = 0; at < path.size(); ++at) {
        const MessageRecord& message = m_tree.at(path.at(at));
        if (message.role == Role::Assistant) {
            if (!message.text.isEmpty()) {
                add(message.id, engine::chat::Role::Assistant, message.text.toStdString(),
                    message.reasoning.toStdString());
            }
            continue;
        }
        // A question that was stopped before its first word: many templates want questions and
        // answers in turn.
        const bool last = at + 1 == path.size();
        const MessageRecord* next = last ? nullptr : &m_tree.at(path.at(at + 1));
        if (last
            || (next->role == Role::Assistant
                && (!next->text.isEmpty() || at + 2 == path.size()))) {
            add(message.id, engine::chat::Role::User, contentOf(message));
        }
    }
    return messages;
}

void Chat::makeTitle()
{
    if (m_record.titleOrigin != ChatRecord::TitleOrigin::Question || m_tree.path().size() != 2) {
        return;
    }
    // One that can't but think would not come to the title in the few tokens there are for it.
    const bool thinks = !m_tree.at(m_tree.leaf()).reasoning.isEmpty();
    if (thinks && !m_service.facts().thinks) {
        return;
    }
    const auto format = m_record.plainPrompt ? PromptFormat::Plain : PromptFormat::Model;
    m_titleGeneration = m_service.askAside(titleRequest(conversation(), format));
    if (m_titleGeneration) {
        connect(m_titleGeneration, &Generation::finished, this, &Chat::onTitleFinished);
    }
}

void Chat::onTitleFinished()
{
    const Outcome::Finish finish = m_titleGeneration->outcome().finish;
    const QString answer = m_titleGeneration->text();
    m_titleGeneration->disconnect(this);
    m_titleGeneration.clear();
    const bool made = finish != Outcome::Finish::Cancelled && finish != Outcome::Finish::Failed;
    // Otherwise the question's own words stay.
    if (made && !isEmpty() && m_record.titleOrigin == ChatRecord::TitleOrigin::Question) {
        m_record.title = titleFromAnswer(answer, m_tree.at(m_tree.path().constFirst()).text);
        m_record.titleOrigin = ChatRecord::TitleOrigin::Model;
        save();
        Q_EMIT summaryChanged();
    }
    Q_EMIT answeringChanged();
}

void Chat::touch()
{
    m_record.updated = now();
    m_record.leaf = m_tree.leaf();
    save();
}

void Chat::save()
{
    if (isKept()) {
        m_store.saveChat(m_record);
    }
}

void Chat::saveSoon()
{
    if (!m_saving.isActive()) {
        m_saving.start();
    }
}

void Chat::saveMessage(MessageId id)
{
    m_store.saveMessage(m_tree.at(id));
}

} // namespace app
