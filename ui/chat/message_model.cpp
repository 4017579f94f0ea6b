// The messages of a conversation as an item model.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/message_model.h"

#include <QtQml/QQmlEngine>

MessageModel::MessageModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

MessageModel::~MessageModel() = default;

int MessageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant MessageModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Message& message = m_messages[static_cast<std::size_t>(index.row())];
    switch (role) {
    case QuestionRole:
        return message.question;
    case TextRole:
    case Qt::DisplayRole:
        return message.text;
    case BlocksRole:
        return QVariant::fromValue(message.blocks.get());
    case StreamingRole:
        return message.streaming;
    case StatisticsRole:
        return message.statistics;
    default:
        return {};
    }
}

QHash<int, QByteArray> MessageModel::roleNames() const
{
    return { { QuestionRole, "question" },
             { TextRole, "text" },
             { BlocksRole, "blocks" },
             { StreamingRole, "streaming" },
             { StatisticsRole, "statistics" } };
}

void MessageModel::addTurn(const QString& question)
{
    Message asked;
    asked.question = true;
    asked.text = question;
    Message answer;
    answer.streaming = true;
    answer.blocks = std::make_unique<BlockModel>();
    // Without this the QML engine would take a parentless object that it got from data() for its
    // own.
    QQmlEngine::setObjectOwnership(answer.blocks.get(), QQmlEngine::CppOwnership);
    beginInsertRows({}, count(), count() + 1);
    m_messages.push_back(std::move(asked));
    m_messages.push_back(std::move(answer));
    endInsertRows();
    Q_EMIT countChanged();
}

void MessageModel::appendToAnswer(const QString& text)
{
    Q_ASSERT(!m_messages.empty() && m_messages.back().streaming);
    Message& answer = m_messages.back();
    answer.text += text;
    answer.blocks->append(text);
    lastChanged({ TextRole, Qt::DisplayRole });
}

void MessageModel::finishAnswer(const QString& statistics)
{
    Q_ASSERT(!m_messages.empty() && m_messages.back().streaming);
    Message& answer = m_messages.back();
    answer.blocks->finish();
    answer.streaming = false;
    answer.statistics = statistics;
    lastChanged({ StreamingRole, StatisticsRole });
}

QString MessageModel::takeLastTurn()
{
    Q_ASSERT(m_messages.size() >= 2);
    beginRemoveRows({}, count() - 2, count() - 1);
    const Message answer = std::move(m_messages.back());
    m_messages.pop_back();
    const Message asked = std::move(m_messages.back());
    m_messages.pop_back();
    endRemoveRows();
    Q_EMIT countChanged();
    return asked.text;
}

void MessageModel::clear()
{
    if (m_messages.empty()) {
        return;
    }
    beginResetModel();
    std::vector<Message> old;
    old.swap(m_messages);
    endResetModel();
    Q_EMIT countChanged();
}

QString MessageModel::lastAnswer() const
{
    return m_messages.empty() ? QString() : m_messages.back().text;
}

std::vector<engine::chat::Message> MessageModel::conversation() const
{
    using engine::chat::Role;
    std::vector<engine::chat::Message> messages;
    for (std::size_t turn = 0; turn + 1 < m_messages.size(); turn += 2) {
        const Message& asked = m_messages[turn];
        const Message& answer = m_messages[turn + 1];
        const bool last = turn + 2 == m_messages.size();
        // A question that was stopped before its first word: many templates want questions and
        // answers in turn.
        if (answer.text.isEmpty() && !last) {
            continue;
        }
        messages.push_back({ Role::User, asked.text.toStdString() });
        if (!answer.text.isEmpty()) {
            messages.push_back({ Role::Assistant, answer.text.toStdString() });
        }
    }
    return messages;
}

void MessageModel::lastChanged(const QList<int>& roles)
{
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last, roles);
}
