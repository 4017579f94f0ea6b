// The metadata of a file as a table that can be filtered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "ui/inspector/array_index.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <vector>

/// Lives on the GUI thread. Values are made into text as rows are shown; the vocabulary is indexed
/// on another thread, and what its tokens say follows.
class MetadataModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// Part of a key or of a value; empty: all entries.
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// Without the filter.
    Q_PROPERTY(int total READ total NOTIFY countChanged)

public:
    enum Role {
        KeyRole = Qt::UserRole + 1,
        TypeRole,
        ValueRole,
        NoteRole, ///< see metadata::note
        OffsetRole, ///< in words
        SizeRole, ///< in words
        EntryRole, ///< number in the file
        AboutRole ///< what the key is for
    };

    explicit MetadataModel(QObject* parent = nullptr);

    /// Null: none. The filter stays.
    void setFile(const ArrayIndex::File& file);

    /// Of the file; null without one, and before vocabularyReady.
    [[nodiscard]] const std::shared_ptr<const ArrayIndex>& vocabulary() const
    {
        return m_vocabulary;
    }
    [[nodiscard]] bool isIndexing() const { return m_indexing.isRunning(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& filter() const { return m_filter; }
    void setFilter(const QString& filter);
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int total() const;
    /// The row of an entry, -1 where the filter hides it; and back.
    Q_INVOKABLE int rowOf(int entry) const;
    Q_INVOKABLE int entryAt(int row) const;

Q_SIGNALS:
    void filterChanged();
    void countChanged();
    /// vocabulary() is there now, and with it the notes on special tokens.
    void vocabularyReady();
    void indexingChanged();

private:
    void indexVocabulary();
    void update();
    [[nodiscard]] bool matches(std::size_t entry) const;

    ArrayIndex::File m_file;
    std::shared_ptr<const ArrayIndex> m_vocabulary;
    std::vector<std::uint32_t> m_rows; ///< entries that are shown, ascending
    QString m_filter;
    app::LatestTask m_indexing;
};
