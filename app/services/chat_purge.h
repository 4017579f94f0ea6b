// What is done once at start: deleted chats and messages go for good, answers that a crash cut
// short are ended. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_sql.h"

namespace app {

/// In one transaction, and none where there is nothing to do. Only while no other copy uses the
/// database: it may take back what it deleted, and its answers still grow.
[[nodiscard]] ChatResult<void> purgeChats(const QSqlDatabase& database);

} // namespace app
