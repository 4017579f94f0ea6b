// What is done once at start: deleted chats and messages go for good, answers that a crash cut
// short are ended. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_purge.h"

#include "app/services/chat_writes.h"

namespace app {

namespace {

using Links = QHash<MessageId, MessageLink>;

ChatResult<void> run(const QSqlDatabase& database, const QString& statement,
                     const QVariantList& values = {})
{
    if (const auto done = runSql(database, statement, values); !done) {
        return tl::unexpected(done.error());
    }
    return {};
}

ChatResult<QList<ChatId>> chatsWithDeleted(const QSqlDatabase& database)
{
    auto rows =
        runSql(database, QStringLiteral("SELECT DISTINCT chat FROM messages WHERE deleted <> 0"));
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    QList<ChatId> chats;
    while (rows->next()) {
        chats.append(rows->value(0).toLongLong());
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return chats;
}

ChatResult<Links> linksOf(const QSqlDatabase& database, ChatId chat)
{
    auto rows =
        runSql(database, QStringLiteral("SELECT id, parent, deleted FROM messages WHERE chat = ?"),
               { chat });
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    Links links;
    while (rows->next()) {
        links.insert(rows->value(0).toLongLong(),
                     { rows->value(1).toLongLong(), rows->value(2).toBool() });
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return links;
}

ChatResult<void> moveUp(const QSqlDatabase& database, const Links& links)
{
    for (auto link = links.begin(); link != links.end(); ++link) {
        if (link->deleted || !links.value(link->parent).deleted) {
            continue;
        }
        if (const auto done =
                run(database, QStringLiteral("UPDATE messages SET parent = ? WHERE id = ?"),
                    { nearestAbove(link.key(), links), link.key() });
            !done) {
            return done;
        }
    }
    return {};
}

/// The end of the shown branch and the first message in the context, off what goes.
ChatResult<void> moveMarks(const QSqlDatabase& database, ChatId chat, const Links& links)
{
    for (const char* column : { "leaf", "first_seen" }) {
        const auto marked =
            sqlValue(database,
                     QStringLiteral("SELECT %1 FROM chats WHERE id = ?").arg(QLatin1String(column)),
                     { chat });
        if (!marked) {
            return tl::unexpected(marked.error());
        }
        const MessageId id = marked->toLongLong();
        if (!links.value(id).deleted) {
            continue;
        }
        if (const auto done = run(
                database,
                QStringLiteral("UPDATE chats SET %1 = ? WHERE id = ?").arg(QLatin1String(column)),
                { nearestAbove(id, links), chat });
            !done) {
            return done;
        }
    }
    return {};
}

ChatResult<void> purgeMessages(const QSqlDatabase& database)
{
    const auto chats = chatsWithDeleted(database);
    if (!chats) {
        return tl::unexpected(chats.error());
    }
    for (const ChatId chat : *chats) {
        const auto links = linksOf(database, chat);
        if (!links) {
            return tl::unexpected(links.error());
        }
        if (const auto done = moveUp(database, *links); !done) {
            return done;
        }
        if (const auto done = moveMarks(database, chat, *links); !done) {
            return done;
        }
    }
    return run(database, QStringLiteral("DELETE FROM messages WHERE deleted <> 0"));
}

} // namespace

ChatResult<void> purgeChats(const QSqlDatabase& database)
{
    const auto work =
        sqlValue(database,
                 QStringLiteral("SELECT EXISTS (SELECT 1 FROM chats WHERE deleted <> 0) "
                                "OR EXISTS (SELECT 1 FROM messages WHERE deleted <> 0) "
                                "OR EXISTS (SELECT 1 FROM messages WHERE whole = 0)"));
    if (!work) {
        return tl::unexpected(work.error());
    }
    if (!work->toBool()) {
        return {};
    }
    SqlTransaction transaction(database);
    if (const auto begun = transaction.begin(); !begun) {
        return begun;
    }
    if (const auto done = run(database, QStringLiteral("DELETE FROM chats WHERE deleted <> 0"));
        !done) {
        return done;
    }
    if (const auto done = purgeMessages(database); !done) {
        return done;
    }
    if (const auto done = run(database,
                              QStringLiteral("UPDATE messages SET whole = 1, outcome = "
                                             "coalesce(outcome, '{\"finish\":\"cancelled\"}') "
                                             "WHERE whole = 0"));
        !done) {
        return done;
    }
    return transaction.commit();
}

} // namespace app
