// Keeps conversations on disk as they happen: XDG_DATA_HOME/vitrine/chats.db.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"
#include "app/services/error_message.h"

#include <QObject>

#include <memory>
#include <optional>

namespace app {

/// Lives on the GUI thread; no call waits. The database has a thread of its own; what is read
/// arrives by signal, in the order of the calls; what is written is collected and goes to disk in
/// one transaction at most kWriteIntervalMs later, the newest of several versions of a record only.
///
/// A disk that is full, a database that is locked: what could not be written stays in memory and is
/// tried again; a database that is damaged is kept aside, one of a newer version is left alone,
/// both are said and a new one begun.
class ChatStore : public QObject
{
    Q_OBJECT

public:
    static constexpr int kWriteIntervalMs = 300;
    static constexpr int kRetryIntervalMs = 2000; ///< of what could not be opened, read or written

    /// Begins to open the database. `directory`: where it is, for tests; empty: the usual place.
    explicit ChatStore(const QString& directory = {}, QObject* parent = nullptr,
                       int retryIntervalMs = kRetryIntervalMs);
    /// Writes what is not written yet; waits for it, 5 seconds at most.
    ~ChatStore() override;

    /// The file in use; another one beside the usual one where that can't be used.
    [[nodiscard]] QString filePath() const;

    /// Ends with `chatLoaded` or `chatMissing`, as soon as the database can be read. Messages that
    /// are deleted are not among those loaded; what hung on them hangs on the nearest message
    /// above. An answer that a crash cut short is whole, its outcome Cancelled.
    void loadChat(ChatId id);
    /// Titles and messages that contain all words, the best first; ends with `found` unless a newer
    /// search is asked.
    void search(const QString& text);

    /// A record replaces the one before in all its fields, `deleted` too.
    void saveChat(const ChatRecord& chat);
    void saveMessage(const MessageRecord& message);
    /// A title that a person wrote, for a chat that is not loaded.
    void setChatTitle(ChatId id, const QString& title);
    /// Deleted ones are purged for good at the next start; false takes them back.
    void setChatDeleted(ChatId id, bool deleted);
    void setMessagesDeleted(const QList<MessageId>& ids, bool deleted);

    /// Writes now and waits for it, that long at most. False when something is still unwritten.
    bool flush(int timeoutMs = 5000);

    /// The latest problem, while it lasts (another file in use: until the end); for a window that
    /// connects after the start.
    [[nodiscard]] const std::optional<ErrorMessage>& problem() const;

Q_SIGNALS:
    /// The database is open: all chats that are not deleted, the newest first. Where it can't be
    /// opened yet: those of this run. Comes again when it is open then, and when another one is
    /// begun in its place.
    void opened(const QList<app::ChatSummary>& chats);
    void chatLoaded(const app::ChatRecord& chat, const QList<app::MessageRecord>& messages);
    void chatMissing(app::ChatId id);
    void found(const QString& text, const QList<app::ChatHit>& hits);
    void problemFound(const app::ErrorMessage& problem);
    /// What could not be written before is written now.
    void problemSolved();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace app
