// Chats and messages for tests of what keeps them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace tests {

[[nodiscard]] inline app::ChatRecord sampleChat(app::ChatId id, const QString& title,
                                                qint64 updated = 1000)
{
    app::ChatRecord chat;
    chat.id = id;
    chat.title = title;
    chat.titleOrigin = app::ChatRecord::TitleOrigin::Question;
    chat.created = 500;
    chat.updated = updated;
    return chat;
}

[[nodiscard]] inline app::MessageRecord sampleMessage(app::ChatId chat, app::MessageId id,
                                                      app::MessageId parent, const QString& text)
{
    using Role = app::MessageRecord::Role;
    app::MessageRecord message;
    message.id = id;
    message.chat = chat;
    message.parent = parent;
    message.role = id % 2 == 1 ? Role::User : Role::Assistant;
    message.text = text;
    message.created = 1000 + id;
    if (message.role == Role::Assistant) {
        message.model = QStringLiteral("SmolLM2");
        message.outcome.emplace();
    }
    return message;
}

[[nodiscard]] inline QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline bool writeBytes(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// Another program at the same file.
class OtherConnection
{
public:
    explicit OtherConnection(const QString& path)
        : m_name(QUuid::createUuid().toString())
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
        database.setDatabaseName(path);
        database.open();
    }
    OtherConnection(const OtherConnection&) = delete;
    OtherConnection& operator=(const OtherConnection&) = delete;
    ~OtherConnection()
    {
        database().close();
        QSqlDatabase::removeDatabase(m_name);
    }

    /// The first value, or the error in words.
    QVariant run(const QString& statement)
    {
        QSqlQuery query(database());
        if (!query.exec(statement)) {
            return query.lastError().text();
        }
        return query.next() ? query.value(0) : QVariant();
    }

private:
    [[nodiscard]] QSqlDatabase database() const { return QSqlDatabase::database(m_name); }

    QString m_name;
};

} // namespace tests
