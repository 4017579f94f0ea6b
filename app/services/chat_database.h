// One database of chats, open or not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_place.h"
#include "app/services/chat_rows.h"
#include "app/services/chat_sql.h"

#include <functional>
#include <optional>

namespace app {

/// Synchronous; used by one thread only. Every failure leaves what is on disk as it was before the
/// call.
class ChatDatabase
{
public:
    ChatDatabase();
    ChatDatabase(const ChatDatabase&) = delete;
    ChatDatabase& operator=(const ChatDatabase&) = delete;
    ~ChatDatabase();

    /// Makes the folder, the file and its tables where they are missing.
    [[nodiscard]] ChatResult<void> open(const QString& path);
    /// For reading, where nothing can be written.
    [[nodiscard]] ChatResult<void> openForReading(const QString& path);
    void close();

    [[nodiscard]] bool isOpen() const { return m_database.isOpen(); }
    [[nodiscard]] bool isWritable() const { return m_writable; }
    /// The file at the path is still the one that was opened.
    [[nodiscard]] bool isInPlace() const;

    [[nodiscard]] ChatResult<QList<ChatSummary>> list() const;
    [[nodiscard]] ChatResult<std::optional<StoredChat>> load(ChatId id) const;
    [[nodiscard]] ChatResult<void> write(const ChatWrites& writes);
    /// Nothing where `isStale` said yes meanwhile. Also without an open database: what is
    /// unwritten.
    [[nodiscard]] ChatResult<std::optional<QList<ChatHit>>>
    search(const QString& text, const ChatWrites& unwritten,
           const std::function<bool()>& isStale) const;
    [[nodiscard]] ChatResult<void> purge();
    [[nodiscard]] ChatResult<void> repairSearch();

private:
    ChatResult<void> connectTo(const QString& path, const QString& options);
    ChatResult<void> openTables();

    QString m_connection;
    QSqlDatabase m_database;
    QString m_path;
    FileIdentity m_file;
    bool m_writable = false;
};

} // namespace app
