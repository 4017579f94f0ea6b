// One database of chats, open or not.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_database.h"

#include "app/services/chat_purge.h"
#include "app/services/chat_schema.h"
#include "app/services/chat_search.h"

#include <QFileInfo>
#include <QSqlError>
#include <QUrl>
#include <QUuid>

namespace app {

namespace {

const QLatin1String kWriting("QSQLITE_BUSY_TIMEOUT=2000");
const QLatin1String kReading("QSQLITE_BUSY_TIMEOUT=2000;QSQLITE_OPEN_READONLY");
const QLatin1String kReadingFrozen("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI");

} // namespace

ChatDatabase::ChatDatabase()
    : m_connection(QLatin1String("chats-") + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

ChatDatabase::~ChatDatabase()
{
    close();
}

ChatResult<void> ChatDatabase::connectTo(const QString& path, const QString& options)
{
    close();
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(path);
    if (!m_database.open()) {
        const ChatFailure failure = failureOf(m_database.lastError());
        close();
        return tl::unexpected(failure);
    }
    return {};
}

void ChatDatabase::close()
{
    m_writable = false;
    m_file = {};
    if (m_database.isValid()) {
        m_database.close();
        m_database = {}; // the connection is removed only when nobody holds it
        QSqlDatabase::removeDatabase(m_connection);
    }
}

ChatResult<void> ChatDatabase::open(const QString& path)
{
    if (const auto prepared = preparePlace(path); !prepared) {
        return prepared;
    }
    m_path = path;
    // A later version may have left its number in the log alone: seen without writing to it.
    if (QFileInfo(path + QStringLiteral("-wal")).size() > 0) {
        if (connectTo(path, kReading)) {
            const auto whose = identifyChats(m_database);
            close();
            if (!whose
                && (whose.error().kind == ChatFailure::Kind::Newer
                    || whose.error().kind == ChatFailure::Kind::Foreign)) {
                return whose;
            }
        }
    }
    if (const auto connected = connectTo(path, kWriting); !connected) {
        return connected;
    }
    if (const auto opened = openTables(); !opened) {
        close();
        return opened;
    }
    m_file = identityOfFile(path);
    m_writable = true;
    return {};
}

ChatResult<void> ChatDatabase::openTables()
{
    if (const auto whose = identifyChats(m_database); !whose) {
        return whose;
    }
    for (const char* pragma :
         { "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON",
           "PRAGMA secure_delete = ON", "PRAGMA journal_size_limit = 16777216",
           "PRAGMA cell_size_check = ON" }) {
        if (const auto set = runSql(m_database, QLatin1String(pragma)); !set) {
            return tl::unexpected(set.error());
        }
    }
    return bringUpToDate(m_database);
}

ChatResult<void> ChatDatabase::openForReading(const QString& path)
{
    m_path = path;
    QUrl frozen = QUrl::fromLocalFile(path);
    frozen.setQuery(QStringLiteral("immutable=1"));
    // Frozen: where the folder can't take the log's companions; what is in a log is not seen then.
    const std::pair<QString, QString> ways[] = {
        { path, kReading }, { frozen.toString(QUrl::FullyEncoded), kReadingFrozen }
    };
    ChatResult<void> read;
    for (const auto& [name, options] : ways) {
        read = connectTo(name, options);
        if (read) {
            read = identifyChats(m_database);
        }
        if (read) {
            read = list().map([](const auto&) {});
        }
        if (read) {
            m_file = identityOfFile(path);
            return {};
        }
        close();
    }
    return read;
}

bool ChatDatabase::isInPlace() const
{
    return isOpen() && identityOfFile(m_path) == m_file;
}

ChatResult<QList<ChatSummary>> ChatDatabase::list() const
{
    return readSummaries(m_database);
}

ChatResult<std::optional<StoredChat>> ChatDatabase::load(ChatId id) const
{
    return readChat(m_database, id);
}

ChatResult<void> ChatDatabase::write(const ChatWrites& writes)
{
    return writeRows(m_database, writes);
}

ChatResult<std::optional<QList<ChatHit>>>
ChatDatabase::search(const QString& text, const ChatWrites& unwritten,
                     const std::function<bool()>& isStale) const
{
    return searchChats(m_database, searchWords(text), unwritten, isStale);
}

ChatResult<void> ChatDatabase::purge()
{
    return purgeChats(m_database);
}

ChatResult<void> ChatDatabase::repairSearch()
{
    return rebuildSearch(m_database);
}

} // namespace app
