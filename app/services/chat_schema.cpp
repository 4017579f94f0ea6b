// The tables of the chats: whose a database is, and the steps from version to version.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_schema.h"

#include "app/services/chat_schema_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace app {

namespace {

struct Step
{
    int version; ///< after it
    const char* script;
};

// One row a version, oldest first.
constexpr std::array kSteps { Step { 1, kChatSchema }, Step { 2, kChatSchema2 } };
static_assert(kSteps.back().version == kChatSchemaVersion);

constexpr int kTables = 5;
constexpr const char* kCountTables =
    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN "
    "('chats', 'messages', 'drafts', 'attachments', 'message_search')";

struct Identity
{
    quint32 application;
    int version;
};

ChatResult<Identity> identityOf(const QSqlDatabase& database)
{
    const auto application = sqlValue(database, QStringLiteral("PRAGMA application_id"));
    if (!application) {
        return tl::unexpected(application.error());
    }
    const auto version = sqlValue(database, QStringLiteral("PRAGMA user_version"));
    if (!version) {
        return tl::unexpected(version.error());
    }
    return Identity { static_cast<quint32>(application->toLongLong()), version->toInt() };
}

/// Comments stay with their statement: SQLite knows them.
QStringList statementsOf(const char* script)
{
    QStringList statements = QString::fromUtf8(script).split(QLatin1String(";\n\n"));
    statements.removeIf([](const QString& statement) { return statement.trimmed().isEmpty(); });
    return statements;
}

ChatResult<void> runStep(const QSqlDatabase& database, const Step& step)
{
    for (const QString& statement : statementsOf(step.script)) {
        if (const auto done = runSql(database, statement); !done) {
            return tl::unexpected(done.error());
        }
    }
    if (const auto done =
            runSql(database, QStringLiteral("PRAGMA user_version = %1").arg(step.version));
        !done) {
        return tl::unexpected(done.error());
    }
    return {};
}

ChatResult<void> runSteps(const QSqlDatabase& database)
{
    SqlTransaction transaction(database);
    if (const auto begun = transaction.begin(); !begun) {
        return begun;
    }
    const auto identity = identityOf(database); // another program may have been faster
    if (!identity) {
        return tl::unexpected(identity.error());
    }
    for (const Step& step : kSteps) {
        if (step.version > identity->version) {
            if (const auto done = runStep(database, step); !done) {
                return done;
            }
        }
    }
    if (const auto done =
            runSql(database, QStringLiteral("PRAGMA application_id = %1").arg(kChatApplicationId));
        !done) {
        return tl::unexpected(done.error());
    }
    return transaction.commit();
}

} // namespace

ChatResult<void> identifyChats(const QSqlDatabase& database)
{
    using Kind = ChatFailure::Kind;
    const auto identity = identityOf(database);
    if (!identity) {
        return tl::unexpected(identity.error());
    }
    if (identity->application == kChatApplicationId) {
        if (identity->version > kChatSchemaVersion) {
            return tl::unexpected(ChatFailure { Kind::Newer, {} });
        }
        return {};
    }
    const auto tables = sqlValue(database, QStringLiteral("SELECT count(*) FROM sqlite_master"));
    if (!tables) {
        return tl::unexpected(tables.error());
    }
    if (identity->application != 0 || identity->version != 0 || tables->toInt() != 0) {
        return tl::unexpected(ChatFailure { Kind::Foreign, {} });
    }
    return {}; // empty: ours to fill
}

ChatResult<void> bringUpToDate(const QSqlDatabase& database)
{
    const auto identity = identityOf(database);
    if (!identity) {
        return tl::unexpected(identity.error());
    }
    if (identity->version < kChatSchemaVersion) {
        if (const auto done = runSteps(database); !done) {
            return done;
        }
    }
    const auto tables = sqlValue(database, QLatin1String(kCountTables));
    if (!tables) {
        return tl::unexpected(tables.error());
    }
    if (tables->toInt() != kTables) {
        return tl::unexpected(
            ChatFailure { ChatFailure::Kind::Damaged,
                          QCoreApplication::translate("ChatStore", "tables are missing") });
    }
    return {};
}

ChatResult<void> rebuildSearch(const QSqlDatabase& database)
{
    SqlTransaction transaction(database);
    if (const auto begun = transaction.begin(); !begun) {
        return begun;
    }
    for (const char* statement :
         { "INSERT INTO message_search (message_search) VALUES ('delete-all')",
           "INSERT INTO message_search (rowid, text) SELECT seq, text FROM messages WHERE "
           "whole" }) {
        if (const auto done = runSql(database, QLatin1String(statement)); !done) {
            return tl::unexpected(done.error());
        }
    }
    return transaction.commit();
}

} // namespace app
