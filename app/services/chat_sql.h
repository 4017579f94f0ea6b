// SQL statements with their failures sorted by what can be done about them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <tl/expected.hpp>

class QSqlError;

namespace app {

struct ChatFailure
{
    enum class Kind {
        Locked, ///< another program holds it: it passes
        Full, ///< the disk or a quota
        NotWritable, ///< permissions, a read-only disk
        Damaged,
        DamagedSearch, ///< the index for searching alone
        Newer, ///< made by a later version
        Foreign, ///< another application's
        NotAFile, ///< a folder, or a link to nothing
        Other,
    };

    Kind kind = Kind::Other;
    QString reason; ///< as the database or the system says it
};

template <typename T>
using ChatResult = tl::expected<T, ChatFailure>;

[[nodiscard]] ChatFailure failureOf(const QSqlError& error);

/// Prepares and runs one statement; rows, if any, follow with `next`.
[[nodiscard]] ChatResult<QSqlQuery> runSql(const QSqlDatabase& database, const QString& statement,
                                           const QVariantList& values = {});
/// The first column of the first row; invalid where there is no row.
[[nodiscard]] ChatResult<QVariant> sqlValue(const QSqlDatabase& database, const QString& statement,
                                            const QVariantList& values = {});
/// After the last row: whether it was the last one, or the next one could not be read.
[[nodiscard]] ChatResult<void> rowsRead(const QSqlQuery& query);

/// An empty text, where a text without characters would be NULL.
[[nodiscard]] inline QVariant sqlText(const QString& text)
{
    return text.isNull() ? QString(QLatin1String("")) : text;
}

/// Statements that are written all or none.
class SqlTransaction
{
public:
    explicit SqlTransaction(const QSqlDatabase& database);
    SqlTransaction(const SqlTransaction&) = delete;
    SqlTransaction& operator=(const SqlTransaction&) = delete;
    /// Takes back what is not committed.
    ~SqlTransaction();

    /// Takes the lock for writing, so that nothing later waits for another program.
    [[nodiscard]] ChatResult<void> begin();
    [[nodiscard]] ChatResult<void> commit();

private:
    QSqlDatabase m_database;
    bool m_open = false;
};

} // namespace app
