// What is to be written and is not written yet, and how chats look with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"

#include <QHash>
#include <QList>

namespace app {

/// The newest version of every record. Plain data, used by one thread at a time.
class ChatWrites
{
public:
    void saveChat(const ChatRecord& chat);
    void saveMessage(const MessageRecord& message);
    void setChatTitle(ChatId id, const QString& title);
    void setChatDeleted(ChatId id, bool deleted);
    void setMessageDeleted(MessageId id, bool deleted);
    /// What is newer wins.
    void add(const ChatWrites& newer);

    [[nodiscard]] bool isEmpty() const;

    /// The records, and what changes of those that are not among them.
    [[nodiscard]] const QHash<ChatId, ChatRecord>& chats() const { return m_chats; }
    [[nodiscard]] const QHash<ChatId, QString>& titles() const { return m_titles; }
    [[nodiscard]] const QHash<ChatId, bool>& chatsDeleted() const { return m_chatsDeleted; }
    [[nodiscard]] const QHash<MessageId, bool>& messagesDeleted() const
    {
        return m_messagesDeleted;
    }
    /// Oldest first.
    [[nodiscard]] QList<MessageRecord> messages() const;
    [[nodiscard]] bool holdsMessage(MessageId id) const { return m_messages.contains(id); }

    /// A chat that was read, as it is with what is not written yet.
    void applyTo(ChatRecord& chat, QList<MessageRecord>& messages) const;
    void applyTo(QList<ChatSummary>& chats) const;

private:
    QHash<ChatId, ChatRecord> m_chats;
    QHash<MessageId, MessageRecord> m_messages;
    QHash<ChatId, QString> m_titles;
    QHash<ChatId, bool> m_chatsDeleted;
    QHash<MessageId, bool> m_messagesDeleted;
};

/// A message's place in the tree.
struct MessageLink
{
    MessageId parent = 0;
    bool deleted = false;
};

/// The nearest message above `id` that is there and not deleted; 0 where there is none.
[[nodiscard]] MessageId nearestAbove(MessageId id, const QHash<MessageId, MessageLink>& links);

/// Leaves out what is deleted and mends the tree: what hung on something deleted, missing or below
/// itself gets the nearest message above; so do `leaf` and `firstSeen`.
void leaveOutDeleted(ChatRecord& chat, QList<MessageRecord>& messages);

/// What a list shows of a chat; one without title goes by the beginning of its draft.
[[nodiscard]] ChatSummary summaryOf(const ChatRecord& chat);
[[nodiscard]] QString titleFor(const QString& title, const QString& draft);

} // namespace app
