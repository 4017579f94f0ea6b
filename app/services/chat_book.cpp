#include "app/services/chat_book.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace app {

namespace {

bool isNewer(const ChatSummary& left, const ChatSummary& right)
{
    return left.updated > right.updated;
}

} // namespace

ChatBook::ChatBook(InferenceService& service, ChatStore& store, QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_store(store)
    , m_current(newChat())
{
    follow(m_current.get());
    connect(&store, &ChatStore::opened, this, &ChatBook::onOpened);
    connect(&store, &ChatStore::chatLoaded, this, &ChatBook::onLoaded);
    connect(&store, &ChatStore::chatMissing, this, [this](ChatId id) {
        if (m_wanted == id) {
            want(0);
        }
        unlist(id);
    });
    connect(&store, &ChatStore::found, this, &ChatBook::found);
}

std::unique_ptr<Chat> ChatBook::newChat() const
{
    return std::make_unique<Chat>(ChatRecord {}, QList<MessageRecord> {}, m_service, m_store);
}

ChatBook::~ChatBook()
{
    m_current->disconnect(this);
    for (Chat* chat : std::as_const(m_left)) {
        chat->disconnect(this);
        delete chat;
    }
}

Chat* ChatBook::answering() const
{
    if (m_current->isAnswering()) {
        return m_current.get();
    }
    for (Chat* chat : m_left) {
        if (chat->isAnswering()) {
            return chat;
        }
    }
    return nullptr;
}

void ChatBook::onOpened(const QList<ChatSummary>& chats)
{
    // The database may be opened again after a problem: what this run made is in the list already.
    QSet<ChatId> known;
    for (const QList<ChatSummary>& list : { m_chats, m_removed }) {
        for (const ChatSummary& chat : list) {
            known.insert(chat.id);
        }
    }
    for (const ChatSummary& chat : chats) {
        if (!known.contains(chat.id)) {
            m_chats.append(chat);
        }
    }
    std::stable_sort(m_chats.begin(), m_chats.end(), isNewer);
    m_ready = true;
    Q_EMIT chatsChanged();
    Q_EMIT ready();
}

void ChatBook::want(ChatId id)
{
    m_wanted = id;
    m_wantedTitle.clear();
}

void ChatBook::open(ChatId id)
{
    want(0);
    if (id == m_current->id() || id == 0) {
        return;
    }
    if (Chat* left = m_left.take(id)) {
        left->setParent(nullptr);
        makeCurrent(std::unique_ptr<Chat>(left));
        return;
    }
    want(id);
    m_store.loadChat(id);
}

void ChatBook::onLoaded(const ChatRecord& record, const QList<MessageRecord>& messages)
{
    if (record.id != m_wanted) {
        return;
    }
    const QString title = m_wantedTitle;
    want(0);
    makeCurrent(std::make_unique<Chat>(record, messages, m_service, m_store));
    m_current->setTitle(title);
}

void ChatBook::startNew()
{
    want(0);
    if (m_current->isKept()) {
        makeCurrent(newChat());
    }
}

void ChatBook::makeCurrent(std::unique_ptr<Chat> chat)
{
    std::unique_ptr<Chat> before = std::exchange(m_current, std::move(chat));
    follow(m_current.get());
    if (before->isKept()) {
        list(*before);
    }
    Q_EMIT currentChanged();
    if (before->isBusy()) {
        Chat* left = before.release();
        left->setParent(this);
        m_left.insert(left->id(), left);
    } else {
        // Views may still hold on to it for the moment.
        before->disconnect(this);
        before.release()->deleteLater();
    }
    Q_EMIT answeringChanged();
}

void ChatBook::follow(Chat* chat)
{
    chat->disconnect(this);
    connect(chat, &Chat::summaryChanged, this, [this, chat] {
        if (!chat->isEmpty()) {
            list(*chat);
        } else if (!chat->isKept()) {
            unlist(chat->id());
        }
    });
    connect(chat, &Chat::answeringChanged, this, [this] {
        dropFinished();
        Q_EMIT answeringChanged();
    });
}

void ChatBook::list(const Chat& chat)
{
    const ChatSummary summary = chat.summary();
    const auto known = find(summary.id);
    if (known != m_chats.end()) {
        if (*known == summary) {
            return;
        }
        m_chats.erase(known);
    }
    insert(summary);
    Q_EMIT chatsChanged();
}

QList<ChatSummary>::iterator ChatBook::find(ChatId id)
{
    return std::find_if(m_chats.begin(), m_chats.end(),
                        [id](const ChatSummary& chat) { return chat.id == id; });
}

void ChatBook::insert(const ChatSummary& chat)
{
    m_chats.insert(std::lower_bound(m_chats.begin(), m_chats.end(), chat, isNewer), chat);
}

void ChatBook::unlist(ChatId id)
{
    if (m_chats.removeIf([id](const ChatSummary& chat) { return chat.id == id; }) > 0) {
        Q_EMIT chatsChanged();
    }
}

/// Chats in the background have done what they were kept for once their answer and title are there.
void ChatBook::dropFinished()
{
    for (auto left = m_left.begin(); left != m_left.end();) {
        Chat* chat = left.value();
        if (chat->isBusy()) {
            ++left;
            continue;
        }
        left = m_left.erase(left);
        chat->disconnect(this);
        chat->deleteLater();
    }
}

void ChatBook::rename(ChatId id, const QString& title)
{
    const QString said = title.simplified();
    if (said.isEmpty()) {
        return;
    }
    if (id == m_current->id()) {
        m_current->setTitle(said);
    } else if (Chat* left = m_left.value(id)) {
        left->setTitle(said);
    } else {
        const auto known = find(id);
        if (known != m_chats.end() && known->title != said) {
            known->title = said;
            if (id == m_wanted) {
                m_wantedTitle = said; // it may have been read before
            }
            m_store.setChatTitle(id, said);
            Q_EMIT chatsChanged();
        }
    }
}

void ChatBook::remove(ChatId id)
{
    const auto known = find(id);
    if (known == m_chats.end()) {
        return;
    }
    if (id == m_wanted) {
        want(0);
    }
    const auto row = std::distance(m_chats.begin(), known);
    m_removed.append(*known);
    m_chats.erase(known);
    if (Chat* left = m_left.take(id)) {
        left->stop();
        left->disconnect(this);
        delete left;
    }
    if (id == m_current->id()) {
        auto gone = std::exchange(m_current, newChat());
        follow(m_current.get());
        gone->disconnect(this);
        Q_EMIT currentChanged();
        gone.reset(); // stops its answer and keeps what was written, for undo
        if (!m_chats.isEmpty()) {
            open(m_chats.at(std::min(row, m_chats.size() - 1)).id);
        }
    }
    m_store.setChatDeleted(id, true);
    Q_EMIT chatsChanged();
    Q_EMIT answeringChanged();
    Q_EMIT undoRemoveChanged();
}

void ChatBook::undoRemove()
{
    if (m_removed.isEmpty()) {
        return;
    }
    const ChatSummary back = m_removed.takeLast();
    m_store.setChatDeleted(back.id, false);
    insert(back);
    Q_EMIT chatsChanged();
    Q_EMIT undoRemoveChanged();
    open(back.id);
}

void ChatBook::search(const QString& text)
{
    m_store.search(text);
}

} // namespace app
