// The blocks of one answer as an item model.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_model.h"

BlockModel::BlockModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

int BlockModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant BlockModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Block& block = m_shown.at(index.row());
    switch (role) {
    case CodeRole:
        return block.kind == Block::Kind::Code;
    case ContentRole:
    case Qt::DisplayRole:
        return block.text;
    case LanguageRole:
        return block.language;
    default:
        return {};
    }
}

QHash<int, QByteArray> BlockModel::roleNames() const
{
    return { { CodeRole, "code" }, { ContentRole, "content" }, { LanguageRole, "language" } };
}

void BlockModel::append(QStringView text)
{
    publish(m_splitter.append(text));
}

void BlockModel::finish()
{
    publish(m_splitter.finish());
}

void BlockModel::publish(qsizetype firstChanged)
{
    const QList<Block>& blocks = m_splitter.blocks();
    Q_ASSERT(blocks.size() >= m_shown.size());
    for (qsizetype row = firstChanged; row < m_shown.size(); ++row) {
        if (m_shown.at(row) != blocks.at(row)) {
            m_shown[row] = blocks.at(row);
            const QModelIndex changed = index(static_cast<int>(row));
            Q_EMIT dataChanged(changed, changed);
        }
    }
    if (blocks.size() > m_shown.size()) {
        beginInsertRows({}, static_cast<int>(m_shown.size()), static_cast<int>(blocks.size()) - 1);
        m_shown = blocks;
        endInsertRows();
    }
}
