// The tables of the chats: whose a database is, and the steps from version to version.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_sql.h"

namespace app {

/// PRAGMA application_id of our files: "Vitr".
constexpr quint32 kChatApplicationId = 0x56697472;
/// PRAGMA user_version of what this version of Vitrine writes.
constexpr int kChatSchemaVersion = 2;

/// Newer and Foreign are failures; only reads.
[[nodiscard]] ChatResult<void> identifyChats(const QSqlDatabase& database);

/// Makes the tables of a new database, takes an older one to this version (in one transaction), and
/// finds tables that are missing.
[[nodiscard]] ChatResult<void> bringUpToDate(const QSqlDatabase& database);

/// Makes the full-text index anew from the messages.
[[nodiscard]] ChatResult<void> rebuildSearch(const QSqlDatabase& database);

} // namespace app
