// Keeps the database of chats on a thread of its own: what is unwritten, what is tried again, what
// is replaced. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_database.h"
#include "app/services/chat_writes.h"
#include "app/services/error_message.h"

#include <QSet>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

namespace app {

/// What a keeper tells; called on its thread.
struct ChatReports
{
    /// The file in use, and all chats.
    std::function<void(const QString&, const QList<ChatSummary>&)> opened;
    std::function<void(const ChatRecord&, const QList<MessageRecord>&)> loaded;
    std::function<void(ChatId)> missing;
    std::function<void(quint64, const QString&, const QList<ChatHit>&)> found;
    std::function<void(const ErrorMessage&)> replaced; ///< another file is in use from now on
    std::function<void(const ErrorMessage&)> unwritten; ///< until `solved`
    std::function<void()> solved;
    std::function<void()> unsettled; ///< call `retry` in a while
};

/// Lives on the store's thread, but for the members that say otherwise. Every call does what it can
/// and reports.
class ChatKeeper
{
public:
    ChatKeeper(const QString& directory, ChatReports reports);

    static QString usualPath(const QString& directory);

    /// From any thread: to be written; never waits for the disk.
    template <typename Change>
    void put(Change change)
    {
        const std::lock_guard lock(m_inboxMutex);
        change(m_inbox);
    }
    /// From any thread: searches before this one end without a report.
    void setLatestSearch(quint64 number) { m_latestSearch = number; }

    void start();
    /// Writes what was put, unless the last attempt failed: then `retry` does.
    void writeDue();
    /// True when nothing is left unwritten.
    bool writeNow();
    void retry();
    void load(ChatId id);
    void search(quint64 number, const QString& text);
    void close();

private:
    template <typename Call>
    auto attempt(Call call) -> decltype(call());
    [[nodiscard]] bool mend(const ChatFailure& failure);
    [[nodiscard]] bool moveAside(const QString& path);
    [[nodiscard]] ChatResult<QList<ChatSummary>> openAt(const QString& path);
    bool open();
    bool ensureOpen();
    void readOnly();
    void reportOpened(QList<ChatSummary> chats);
    void purgeWhenAlone();
    void absorb();
    bool write();
    [[nodiscard]] bool tryLoad(ChatId id);
    void endCutShort(QList<MessageRecord>& messages) const;
    void fail(const ChatFailure& failure);
    void settle();

    const QString m_directory;
    const ChatReports m_reports;

    std::mutex m_inboxMutex;
    ChatWrites m_inbox; ///< under the mutex
    std::atomic<quint64> m_latestSearch = 0;

    QString m_path;
    ChatWrites m_pending;
    QSet<MessageId> m_streaming; ///< answers that this run has begun and not ended
    QList<ChatId> m_waiting; ///< to be read when that is possible
    QSet<QString> m_said; ///< files that are not ours, told once
    QString m_problem; ///< code of what is reported as unwritten; empty: none
    int m_replacements = 0;
    bool m_wasOpen = false;
    bool m_reportedOpen = false;
    bool m_searchRepaired = false;
    FolderPresence m_presence;
    ChatDatabase m_database;
};

} // namespace app
