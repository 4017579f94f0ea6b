// The blocks of one answer as an item model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/block_splitter.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

/// Grows while an answer streams; only its last row changes. Lives on the GUI thread.
class BlockModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by MessageModel")

public:
    enum Role { CodeRole = Qt::UserRole + 1, ContentRole, LanguageRole };

    explicit BlockModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    void append(QStringView text);
    void finish();

private:
    /// Tells views what became of the rows from `firstChanged` on.
    void publish(qsizetype firstChanged);

    BlockSplitter m_splitter;
    /// What views have seen. A copy, since rows may only appear between beginInsertRows and
    /// endInsertRows.
    QList<Block> m_shown;
};
