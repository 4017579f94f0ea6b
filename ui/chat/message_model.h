// The messages of a conversation as an item model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/message.h"
#include "ui/chat/block_model.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// Questions and answers in turn; the last answer may still grow. Lives on the GUI thread.
class MessageModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Owned by ChatViewModel")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Role {
        QuestionRole = Qt::UserRole + 1,
        TextRole,
        BlocksRole,
        StreamingRole,
        StatisticsRole
    };

    explicit MessageModel(QObject* parent = nullptr);
    ~MessageModel() override;

    [[nodiscard]] int count() const { return static_cast<int>(m_messages.size()); }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    /// Adds a question and the empty answer that will grow.
    void addTurn(const QString& question);
    /// Adds text to the answer of the last turn.
    void appendToAnswer(const QString& text);
    /// The answer of the last turn is whole. `statistics` is the line below it.
    void finishAnswer(const QString& statistics);
    /// Takes the last turn back and returns its question.
    QString takeLastTurn();
    void clear();

    /// The text of the last answer; empty without one.
    [[nodiscard]] QString lastAnswer() const;
    /// What the model is told next time: turns that have an answer, and the last question.
    [[nodiscard]] std::vector<engine::chat::Message> conversation() const;

Q_SIGNALS:
    void countChanged();

private:
    struct Message
    {
        bool question = false;
        bool streaming = false;
        QString text;
        QString statistics;
        std::unique_ptr<BlockModel> blocks;
    };

    void lastChanged(const QList<int>& roles);

    std::vector<Message> m_messages;
};
