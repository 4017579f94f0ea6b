// What goes wrong with the file of the chats, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_sql.h"
#include "app/services/error_message.h"

namespace app {

/// Nothing can be written for now.
[[nodiscard]] ErrorMessage unwrittenProblem(const ChatFailure& failure, const QString& path);
/// A damaged file is kept as `aside`, a new one is begun.
[[nodiscard]] ErrorMessage damagedProblem(const QString& path, const QString& aside);
/// A file that is not ours to touch (`failure`: Newer, Foreign or NotAFile); `instead` is used.
[[nodiscard]] ErrorMessage insteadProblem(const ChatFailure& failure, const QString& path,
                                          const QString& instead);

} // namespace app
