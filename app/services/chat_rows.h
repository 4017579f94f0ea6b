// Chats and messages as rows of the database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"
#include "app/services/chat_sql.h"
#include "app/services/chat_writes.h"

#include <optional>

namespace app {

/// A chat with all its messages, deleted ones too, as they are written.
struct StoredChat
{
    ChatRecord chat;
    QList<MessageRecord> messages; ///< oldest first
};

/// All chats that are not deleted, the newest first.
[[nodiscard]] ChatResult<QList<ChatSummary>> readSummaries(const QSqlDatabase& database);
/// Nothing where there is no such chat.
[[nodiscard]] ChatResult<std::optional<StoredChat>> readChat(const QSqlDatabase& database,
                                                             ChatId id);
/// All in one transaction. A message whose chat is missing gets one without title.
[[nodiscard]] ChatResult<void> writeRows(const QSqlDatabase& database, const ChatWrites& writes);

} // namespace app
