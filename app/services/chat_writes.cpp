// What is to be written and is not written yet, and how chats look with it.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_writes.h"

#include "app/services/chat_title.h"

#include <QSet>

#include <algorithm>

namespace app {

namespace {

// Where the links lead back to where they came from, the message begins the conversation.
void breakCircles(QHash<MessageId, MessageLink>& links)
{
    QSet<MessageId> fine;
    for (auto start = links.keyBegin(); start != links.keyEnd(); ++start) {
        QSet<MessageId> trail;
        MessageId id = *start;
        while (links.contains(id) && !fine.contains(id)) {
            trail.insert(id);
            const MessageId parent = links[id].parent;
            if (trail.contains(parent)) {
                links[id].parent = 0;
                break;
            }
            id = parent;
        }
        fine.unite(trail);
    }
}

} // namespace

void ChatWrites::saveChat(const ChatRecord& chat)
{
    m_titles.remove(chat.id);
    m_chatsDeleted.remove(chat.id);
    m_chats.insert(chat.id, chat);
}

void ChatWrites::saveMessage(const MessageRecord& message)
{
    m_messagesDeleted.remove(message.id);
    m_messages.insert(message.id, message);
}

void ChatWrites::setChatTitle(ChatId id, const QString& title)
{
    if (const auto chat = m_chats.find(id); chat != m_chats.end()) {
        chat->title = title;
        chat->titleOrigin = ChatRecord::TitleOrigin::Person;
    } else {
        m_titles.insert(id, title);
    }
}

void ChatWrites::setChatDeleted(ChatId id, bool deleted)
{
    if (const auto chat = m_chats.find(id); chat != m_chats.end()) {
        chat->deleted = deleted;
    } else {
        m_chatsDeleted.insert(id, deleted);
    }
}

void ChatWrites::setMessageDeleted(MessageId id, bool deleted)
{
    if (const auto message = m_messages.find(id); message != m_messages.end()) {
        message->deleted = deleted;
    } else {
        m_messagesDeleted.insert(id, deleted);
    }
}

void ChatWrites::add(const ChatWrites& newer)
{
    for (const ChatRecord& chat : newer.m_chats) {
        saveChat(chat);
    }
    for (const MessageRecord& message : newer.m_messages) {
        saveMessage(message);
    }
    for (auto title = newer.m_titles.begin(); title != newer.m_titles.end(); ++title) {
        setChatTitle(title.key(), title.value());
    }
    for (auto mark = newer.m_chatsDeleted.begin(); mark != newer.m_chatsDeleted.end(); ++mark) {
        setChatDeleted(mark.key(), mark.value());
    }
    for (auto mark = newer.m_messagesDeleted.begin(); mark != newer.m_messagesDeleted.end();
         ++mark) {
        setMessageDeleted(mark.key(), mark.value());
    }
}

bool ChatWrites::isEmpty() const
{
    return m_chats.isEmpty() && m_messages.isEmpty() && m_titles.isEmpty()
        && m_chatsDeleted.isEmpty() && m_messagesDeleted.isEmpty();
}

QList<MessageRecord> ChatWrites::messages() const
{
    QList<MessageRecord> sorted = m_messages.values();
    std::sort(sorted.begin(), sorted.end(), [](const auto& left, const auto& right) {
        // A question comes before its answer, should the clock stand still.
        return left.created != right.created ? left.created < right.created
            : left.role != right.role        ? left.role < right.role
                                             : left.id < right.id;
    });
    return sorted;
}

void ChatWrites::applyTo(ChatRecord& chat, QList<MessageRecord>& messages) const
{
    const ChatId id = chat.id;
    if (const auto record = m_chats.find(id); record != m_chats.end()) {
        chat = *record;
    }
    if (const auto title = m_titles.find(id); title != m_titles.end()) {
        chat.title = *title;
        chat.titleOrigin = ChatRecord::TitleOrigin::Person;
    }
    chat.deleted = m_chatsDeleted.value(id, chat.deleted);

    QSet<MessageId> known;
    for (MessageRecord& message : messages) {
        known.insert(message.id);
        message = m_messages.value(message.id, message);
        message.deleted = m_messagesDeleted.value(message.id, message.deleted);
    }
    for (const MessageRecord& message : this->messages()) {
        if (message.chat == id && !known.contains(message.id)) {
            messages.append(message);
        }
    }
}

void ChatWrites::applyTo(QList<ChatSummary>& chats) const
{
    if (isEmpty()) {
        return;
    }
    chats.removeIf([this](const ChatSummary& chat) {
        return m_chats.contains(chat.id) || m_chatsDeleted.value(chat.id, false);
    });
    for (ChatSummary& chat : chats) {
        chat.title = m_titles.value(chat.id, chat.title);
    }
    for (const ChatRecord& chat : m_chats) {
        if (!chat.deleted) {
            chats.append(summaryOf(chat));
        }
    }
    std::stable_sort(chats.begin(), chats.end(), [](const auto& left, const auto& right) {
        return left.updated > right.updated;
    });
}

MessageId nearestAbove(MessageId id, const QHash<MessageId, MessageLink>& links)
{
    MessageId above = links.value(id).parent;
    for (qsizetype steps = 0; steps <= links.size(); ++steps) {
        const auto link = links.find(above);
        if (link == links.end()) {
            return 0;
        }
        if (!link->deleted) {
            return above;
        }
        above = link->parent;
    }
    return 0; // a circle
}

void leaveOutDeleted(ChatRecord& chat, QList<MessageRecord>& messages)
{
    QHash<MessageId, MessageLink> links;
    for (const MessageRecord& message : messages) {
        links.insert(message.id, { message.parent, message.deleted });
    }
    breakCircles(links);
    const auto mended = [&links](MessageId id) {
        const auto link = links.find(id);
        return link == links.end() ? 0 : link->deleted ? nearestAbove(id, links) : id;
    };
    messages.removeIf([](const MessageRecord& message) { return message.deleted; });
    for (MessageRecord& message : messages) {
        message.parent = nearestAbove(message.id, links);
    }
    chat.leaf = mended(chat.leaf);
    chat.firstSeen = mended(chat.firstSeen);
}

QString titleFor(const QString& title, const QString& draft)
{
    return title.isEmpty() ? titleFromQuestion(draft) : title;
}

ChatSummary summaryOf(const ChatRecord& chat)
{
    return { chat.id, titleFor(chat.title, chat.draft.text), chat.updated };
}

} // namespace app
