// Chats and messages as rows of the database: writing.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_rows.h"
#include "app/services/chat_words.h"

#include <QJsonDocument>
#include <QSet>

namespace app {

namespace {

/// What a list of attachments belongs to: a column of their table, and the value in it.
struct Owner
{
    QLatin1String column;
    qint64 id;
};

QString jsonText(const QJsonObject& object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

ChatResult<void> run(const QSqlDatabase& database, const QString& statement,
                     const QVariantList& values)
{
    if (const auto done = runSql(database, statement, values); !done) {
        return tl::unexpected(done.error());
    }
    return {};
}

/// Texts of many megabytes lie behind a draft that changes with every key: they are compared, not
/// written again.
ChatResult<bool> attachmentsAreThere(const QSqlDatabase& database, const Owner& owner,
                                     const QList<Attachment>& attachments)
{
    auto rows = runSql(database,
                       QStringLiteral("SELECT name, tokens, text FROM attachments WHERE %1 = ? "
                                      "ORDER BY position")
                           .arg(owner.column),
                       { owner.id });
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    qsizetype known = 0;
    bool same = true;
    while (same && rows->next()) {
        same = known < attachments.size() && attachments[known].name == rows->value(0).toString()
            && attachments[known].tokens == rows->value(1).toLongLong()
            && attachments[known].text == rows->value(2).toString();
        ++known;
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return same && known == attachments.size();
}

ChatResult<void> writeAttachments(const QSqlDatabase& database, const Owner& owner,
                                  const QList<Attachment>& attachments)
{
    const auto there = attachmentsAreThere(database, owner, attachments);
    if (!there) {
        return tl::unexpected(there.error());
    }
    if (*there) {
        return {};
    }
    auto done =
        run(database, QStringLiteral("DELETE FROM attachments WHERE %1 = ?").arg(owner.column),
            { owner.id });
    for (qsizetype i = 0; done && i < attachments.size(); ++i) {
        const Attachment& attachment = attachments[i];
        done = run(
            database,
            QStringLiteral("INSERT INTO attachments (%1, position, name, tokens, text) "
                           "VALUES (?, ?, ?, ?, ?)")
                .arg(owner.column),
            { owner.id, i, sqlText(attachment.name), attachment.tokens, sqlText(attachment.text) });
    }
    return done;
}

ChatResult<void> writeDraft(const QSqlDatabase& database, ChatId chat, const Draft& draft)
{
    if (draft.isEmpty()) {
        return run(database, QStringLiteral("DELETE FROM drafts WHERE chat = ?"), { chat });
    }
    const auto done = run(database,
                          QStringLiteral("INSERT INTO drafts (chat, text) VALUES (?, ?) "
                                         "ON CONFLICT (chat) DO UPDATE SET text = excluded.text"),
                          { chat, sqlText(draft.text) });
    return done ? writeAttachments(database, { QLatin1String("draft"), chat }, draft.attachments)
                : done;
}

ChatResult<void> writeChat(const QSqlDatabase& database, const ChatRecord& chat)
{
    const auto done = run(
        database,
        QStringLiteral("INSERT INTO chats (id, title, title_origin, created, updated, deleted, "
                       "model_path, plain_prompt, leaf, first_seen, sampler, system_prompt, "
                       "thinking) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT (id) DO UPDATE SET title = excluded.title, "
                       "title_origin = excluded.title_origin, created = excluded.created, "
                       "updated = excluded.updated, deleted = excluded.deleted, "
                       "model_path = excluded.model_path, plain_prompt = excluded.plain_prompt, "
                       "leaf = excluded.leaf, first_seen = excluded.first_seen, "
                       "sampler = excluded.sampler, system_prompt = excluded.system_prompt, "
                       "thinking = excluded.thinking"),
        { chat.id, sqlText(chat.title), wordFor(chat.titleOrigin), chat.created, chat.updated,
          chat.deleted, sqlText(chat.modelPath), chat.plainPrompt, chat.leaf, chat.firstSeen,
          jsonText(chat.sampler), sqlText(chat.systemPrompt),
          chat.thinking ? QVariant(*chat.thinking) : QVariant() });
    return done ? writeDraft(database, chat.id, chat.draft) : done;
}

ChatResult<void> writeMessage(const QSqlDatabase& database, const MessageRecord& message)
{
    const QVariant outcome =
        message.outcome ? QVariant(jsonText(outcomeToJson(*message.outcome))) : QVariant();
    const auto done =
        run(database,
            QStringLiteral("INSERT INTO messages (id, chat, parent, role, created, whole, deleted, "
                           "model, outcome, text, reasoning) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                           "ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, "
                           "created = excluded.created, whole = excluded.whole, "
                           "deleted = excluded.deleted, model = excluded.model, "
                           "outcome = excluded.outcome, text = excluded.text, "
                           "reasoning = excluded.reasoning"),
            { message.id, message.chat, message.parent, wordFor(message.role), message.created,
              message.whole, message.deleted, sqlText(message.model), outcome,
              sqlText(message.text), sqlText(message.reasoning) });
    return done
        ? writeAttachments(database, { QLatin1String("message"), message.id }, message.attachments)
        : done;
}

ChatResult<void> writeMessages(const QSqlDatabase& database, const ChatWrites& writes)
{
    QSet<ChatId> known;
    for (const MessageRecord& message : writes.messages()) {
        if (!writes.chats().contains(message.chat) && !known.contains(message.chat)) {
            known.insert(message.chat);
            // It is gone where another copy purged it, or the database was begun anew.
            const auto done =
                run(database,
                    QStringLiteral("INSERT INTO chats (id, created, updated) VALUES (?, ?, ?) "
                                   "ON CONFLICT (id) DO NOTHING"),
                    { message.chat, message.created, message.created });
            if (!done) {
                return done;
            }
        }
        if (const auto done = writeMessage(database, message); !done) {
            return done;
        }
    }
    return {};
}

ChatResult<void> writeMarks(const QSqlDatabase& database, QLatin1String table,
                            const QHash<qint64, bool>& marks)
{
    const QString statement = QStringLiteral("UPDATE %1 SET deleted = ? WHERE id = ?").arg(table);
    for (auto mark = marks.begin(); mark != marks.end(); ++mark) {
        if (const auto done = run(database, statement, { mark.value(), mark.key() }); !done) {
            return done;
        }
    }
    return {};
}

ChatResult<void> writeAll(const QSqlDatabase& database, const ChatWrites& writes)
{
    for (const ChatRecord& chat : writes.chats()) {
        if (const auto done = writeChat(database, chat); !done) {
            return done;
        }
    }
    for (auto title = writes.titles().begin(); title != writes.titles().end(); ++title) {
        if (const auto done = run(
                database,
                QStringLiteral("UPDATE chats SET title = ?, title_origin = ? WHERE id = ?"),
                { sqlText(title.value()), wordFor(ChatRecord::TitleOrigin::Person), title.key() });
            !done) {
            return done;
        }
    }
    if (const auto done = writeMessages(database, writes); !done) {
        return done;
    }
    if (const auto done = writeMarks(database, QLatin1String("chats"), writes.chatsDeleted());
        !done) {
        return done;
    }
    return writeMarks(database, QLatin1String("messages"), writes.messagesDeleted());
}

} // namespace

ChatResult<void> writeRows(const QSqlDatabase& database, const ChatWrites& writes)
{
    SqlTransaction transaction(database);
    if (const auto begun = transaction.begin(); !begun) {
        return begun;
    }
    if (const auto done = writeAll(database, writes); !done) {
        return done;
    }
    return transaction.commit();
}

} // namespace app
