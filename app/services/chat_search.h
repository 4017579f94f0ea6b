// Finds words in the titles and messages of the database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"
#include "app/services/chat_sql.h"
#include "app/services/chat_writes.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace app {

constexpr int kMaxChatHits = 100;

/// The words that are looked for: as many as make sense, without control characters.
[[nodiscard]] QStringList searchWords(const QString& text);
/// Contains all words, in any case, also as parts of others.
[[nodiscard]] bool containsAll(const QString& text, const QStringList& words);
/// One line around the first word.
[[nodiscard]] QString excerptAround(const QString& text, const QStringList& words);

/// Titles first, then messages, both the newest first; what is not written yet (`unwritten`) counts
/// too. Nothing where `isStale` said yes meanwhile.
[[nodiscard]] ChatResult<std::optional<QList<ChatHit>>>
searchChats(const QSqlDatabase& database, const QStringList& words, const ChatWrites& unwritten,
            const std::function<bool()>& isStale);

} // namespace app
