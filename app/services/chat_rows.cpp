// Chats and messages as rows of the database: reading.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_rows.h"

#include "app/services/chat_words.h"

#include <QJsonDocument>

namespace app {

namespace {

QJsonObject objectFrom(const QVariant& json)
{
    return QJsonDocument::fromJson(json.toString().toUtf8()).object();
}

Attachment attachmentFrom(const QSqlQuery& row, int firstColumn)
{
    return { row.value(firstColumn).toString(), row.value(firstColumn + 2).toString(),
             row.value(firstColumn + 1).toLongLong() };
}

/// A column of version 2, or what stands for it in a database of version 1, which is only read
/// where it can't be written.
QString columnOf2(int version, const char* column, const char* instead)
{
    return QLatin1String(version >= 2 ? column : instead);
}

ChatResult<std::optional<ChatRecord>> readRecord(const QSqlDatabase& database, ChatId id,
                                                 int version)
{
    auto row = runSql(database,
                      QStringLiteral("SELECT title, title_origin, created, updated, deleted, "
                                     "model_path, plain_prompt, leaf, first_seen, sampler, "
                                     "system_prompt, drafts.text, %1 "
                                     "FROM chats LEFT JOIN drafts ON drafts.chat = chats.id "
                                     "WHERE chats.id = ?")
                          .arg(columnOf2(version, "thinking", "NULL")),
                      { id });
    if (!row) {
        return tl::unexpected(row.error());
    }
    if (!row->next()) {
        if (const auto read = rowsRead(*row); !read) {
            return tl::unexpected(read.error());
        }
        return std::nullopt;
    }
    ChatRecord chat;
    chat.id = id;
    int column = 0;
    chat.title = row->value(column++).toString();
    chat.titleOrigin = titleOriginFrom(row->value(column++).toString());
    chat.created = row->value(column++).toLongLong();
    chat.updated = row->value(column++).toLongLong();
    chat.deleted = row->value(column++).toBool();
    chat.modelPath = row->value(column++).toString();
    chat.plainPrompt = row->value(column++).toBool();
    chat.leaf = row->value(column++).toLongLong();
    chat.firstSeen = row->value(column++).toLongLong();
    chat.sampler = objectFrom(row->value(column++));
    chat.systemPrompt = row->value(column++).toString();
    chat.draft.text = row->value(column++).toString();
    if (const QVariant thinking = row->value(column++); !thinking.isNull()) {
        chat.thinking = thinking.toBool();
    }
    return chat;
}

ChatResult<void> readDraftAttachments(const QSqlDatabase& database, ChatRecord& chat)
{
    auto rows = runSql(database,
                       QStringLiteral("SELECT name, tokens, text FROM attachments WHERE draft = ? "
                                      "ORDER BY position"),
                       { chat.id });
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    while (rows->next()) {
        chat.draft.attachments.append(attachmentFrom(*rows, 0));
    }
    return rowsRead(*rows);
}

ChatResult<QList<MessageRecord>> readMessages(const QSqlDatabase& database, ChatId chat,
                                              int version)
{
    auto rows = runSql(database,
                       QStringLiteral("SELECT id, parent, role, created, whole, deleted, model, "
                                      "outcome, text, %1 FROM messages WHERE chat = ? "
                                      "ORDER BY seq")
                           .arg(columnOf2(version, "reasoning", "''")),
                       { chat });
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    QList<MessageRecord> messages;
    while (rows->next()) {
        MessageRecord message;
        message.chat = chat;
        int column = 0;
        message.id = rows->value(column++).toLongLong();
        message.parent = rows->value(column++).toLongLong();
        message.role = roleFrom(rows->value(column++).toString());
        message.created = rows->value(column++).toLongLong();
        message.whole = rows->value(column++).toBool();
        message.deleted = rows->value(column++).toBool();
        message.model = rows->value(column++).toString();
        if (const QVariant outcome = rows->value(column++); !outcome.isNull()) {
            message.outcome = outcomeFromJson(objectFrom(outcome));
        }
        message.text = rows->value(column++).toString();
        message.reasoning = rows->value(column++).toString();
        messages.append(std::move(message));
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return messages;
}

ChatResult<void> readAttachments(const QSqlDatabase& database, ChatId chat,
                                 QList<MessageRecord>& messages)
{
    auto rows =
        runSql(database,
               QStringLiteral("SELECT message, name, tokens, attachments.text "
                              "FROM messages JOIN attachments ON message = messages.id "
                              "WHERE chat = ? AND message IS NOT NULL ORDER BY seq, position"),
               { chat });
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    auto message = messages.begin(); // both come by seq
    while (rows->next()) {
        const MessageId id = rows->value(0).toLongLong();
        while (message != messages.end() && message->id != id) {
            ++message;
        }
        if (message == messages.end()) {
            break;
        }
        message->attachments.append(attachmentFrom(*rows, 1));
    }
    return rowsRead(*rows);
}

} // namespace

ChatResult<QList<ChatSummary>> readSummaries(const QSqlDatabase& database)
{
    auto rows =
        runSql(database,
               QStringLiteral("SELECT id, title, updated, CASE title WHEN '' THEN (SELECT text "
                              "FROM drafts WHERE chat = chats.id) ELSE '' END "
                              "FROM chats WHERE deleted = 0 ORDER BY updated DESC"));
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    QList<ChatSummary> chats;
    while (rows->next()) {
        chats.append({ rows->value(0).toLongLong(),
                       titleFor(rows->value(1).toString(), rows->value(3).toString()),
                       rows->value(2).toLongLong() });
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return chats;
}

ChatResult<std::optional<StoredChat>> readChat(const QSqlDatabase& database, ChatId id)
{
    const auto version = sqlValue(database, QStringLiteral("PRAGMA user_version"));
    if (!version) {
        return tl::unexpected(version.error());
    }
    auto record = readRecord(database, id, version->toInt());
    if (!record) {
        return tl::unexpected(record.error());
    }
    if (!*record) {
        return std::nullopt;
    }
    StoredChat stored { std::move(**record), {} };
    if (const auto read = readDraftAttachments(database, stored.chat); !read) {
        return tl::unexpected(read.error());
    }
    auto messages = readMessages(database, id, version->toInt());
    if (!messages) {
        return tl::unexpected(messages.error());
    }
    stored.messages = std::move(*messages);
    if (const auto read = readAttachments(database, id, stored.messages); !read) {
        return tl::unexpected(read.error());
    }
    return stored;
}

} // namespace app
