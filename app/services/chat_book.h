// All chats: their list, the one that is shown, and those that are answered meanwhile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat.h"

#include <QHash>
#include <QList>
#include <QObject>

#include <memory>

namespace app {

/// Lives on the GUI thread; the service and the store outlive it. There is always a current chat: a
/// new one until another is opened. A chat that is left while its answer runs lives on until the
/// answer is whole.
class ChatBook : public QObject
{
    Q_OBJECT

public:
    ChatBook(InferenceService& service, ChatStore& store, QObject* parent = nullptr);
    ~ChatBook() override;

    /// Newest first. A new chat joins with its first message, or when it is left with a draft.
    [[nodiscard]] const QList<ChatSummary>& chats() const { return m_chats; }
    [[nodiscard]] Chat& current() const { return *m_current; }
    /// The chat whose answer runs; null without one.
    [[nodiscard]] Chat* answering() const;
    /// What is on disk is known.
    [[nodiscard]] bool isReady() const { return m_ready; }

    /// Makes a chat current, at once or when it is read.
    void open(ChatId id);
    /// Makes a new chat current; the current one stays when nothing was written in it.
    void startNew();
    void rename(ChatId id, const QString& title);
    /// Can be undone until the application ends. Another chat becomes current where it was.
    void remove(ChatId id);
    [[nodiscard]] bool canUndoRemove() const { return !m_removed.isEmpty(); }
    /// Takes the latest removed chat back and opens it.
    void undoRemove();
    /// Titles and messages with these words; ends with `found`. The latest search wins.
    void search(const QString& text);

Q_SIGNALS:
    void chatsChanged();
    /// Another chat is current; the one before may be gone right after.
    void currentChanged();
    void answeringChanged();
    void undoRemoveChanged();
    void found(const QString& text, const QList<app::ChatHit>& hits);
    void ready();

private:
    void onOpened(const QList<ChatSummary>& chats);
    void onLoaded(const ChatRecord& record, const QList<MessageRecord>& messages);
    void makeCurrent(std::unique_ptr<Chat> chat);
    void follow(Chat* chat);
    void want(ChatId id);
    [[nodiscard]] std::unique_ptr<Chat> newChat() const;
    [[nodiscard]] QList<ChatSummary>::iterator find(ChatId id);
    /// Where it belongs by its time.
    void insert(const ChatSummary& chat);
    void list(const Chat& chat);
    void unlist(ChatId id);
    void dropFinished();

    InferenceService& m_service;
    ChatStore& m_store;
    QList<ChatSummary> m_chats;
    QList<ChatSummary> m_removed;
    std::unique_ptr<Chat> m_current;
    QHash<ChatId, Chat*> m_left; ///< answered in the background, children of this
    ChatId m_wanted = 0; ///< being read, to become current
    QString m_wantedTitle; ///< what a person calls it since; empty: as it is read
    bool m_ready = false;
};

} // namespace app
