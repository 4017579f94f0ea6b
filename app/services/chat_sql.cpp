// SQL statements with their failures sorted by what can be done about them.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_sql.h"

#include <QSqlError>

#include <utility>

namespace app {

namespace {

// SQLite's result codes: the kind in the low byte, details above it.
enum SqliteCode {
    kPerm = 3,
    kBusy = 5,
    kLocked = 6,
    kReadOnly = 8,
    kIoError = 10,
    kCorrupt = 11,
    kFull = 13,
    kCantOpen = 14,
    kProtocol = 15,
    kNotADatabase = 26,
    kCorruptTable = kCorrupt | (1 << 8), ///< of a virtual table: the full-text index
    kIoWrite = kIoError | (3 << 8),
    kIoTruncate = kIoError | (6 << 8),
    kIoMemoryMap = kIoError | (24 << 8),
    kIoShmSize = kIoError | (19 << 8),
    kIoCorruptFs = kIoError | (33 << 8),
};

ChatFailure::Kind kindOf(int code)
{
    using Kind = ChatFailure::Kind;
    switch (code) {
    case kCorruptTable:
        return Kind::DamagedSearch;
    case kIoWrite: // no space comes as kFull, a quota or a limit of the process so
    case kIoTruncate:
    case kIoMemoryMap:
    case kIoShmSize:
        return Kind::Full;
    case kIoCorruptFs:
        return Kind::Damaged;
    default:
        break;
    }
    switch (code & 0xFF) {
    case kBusy:
    case kLocked:
    case kProtocol:
        return Kind::Locked;
    case kFull:
        return Kind::Full;
    case kPerm:
    case kReadOnly:
    case kCantOpen:
        return Kind::NotWritable;
    case kCorrupt:
    case kNotADatabase:
        return Kind::Damaged;
    default:
        return Kind::Other;
    }
}

} // namespace

ChatFailure failureOf(const QSqlError& error)
{
    bool number = false;
    const int code = error.nativeErrorCode().toInt(&number);
    const QString reason =
        error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return { number ? kindOf(code) : ChatFailure::Kind::Other, reason };
}

ChatResult<QSqlQuery> runSql(const QSqlDatabase& database, const QString& statement,
                             const QVariantList& values)
{
    QSqlQuery query(database);
    query.setForwardOnly(true);
    if (!query.prepare(statement)) {
        return tl::unexpected(failureOf(query.lastError()));
    }
    for (const QVariant& value : values) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return tl::unexpected(failureOf(query.lastError()));
    }
    return query;
}

ChatResult<QVariant> sqlValue(const QSqlDatabase& database, const QString& statement,
                              const QVariantList& values)
{
    auto query = runSql(database, statement, values);
    if (!query) {
        return tl::unexpected(query.error());
    }
    if (query->next()) {
        return query->value(0);
    }
    if (const auto read = rowsRead(*query); !read) {
        return tl::unexpected(read.error());
    }
    return QVariant();
}

ChatResult<void> rowsRead(const QSqlQuery& query)
{
    if (query.lastError().isValid()) {
        return tl::unexpected(failureOf(query.lastError()));
    }
    return {};
}

SqlTransaction::SqlTransaction(const QSqlDatabase& database)
    : m_database(database)
{
}

SqlTransaction::~SqlTransaction()
{
    if (m_open) {
        // Some failures have taken it back already; this one's is of no interest then.
        (void)runSql(m_database, QStringLiteral("ROLLBACK"));
    }
}

ChatResult<void> SqlTransaction::begin()
{
    if (const auto begun = runSql(m_database, QStringLiteral("BEGIN IMMEDIATE")); !begun) {
        return tl::unexpected(begun.error());
    }
    m_open = true;
    return {};
}

ChatResult<void> SqlTransaction::commit()
{
    if (const auto done = runSql(m_database, QStringLiteral("COMMIT")); !done) {
        return tl::unexpected(done.error());
    }
    m_open = false;
    return {};
}

} // namespace app
