// The metadata of two files side by side as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/compared_files.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// Lives on the GUI thread. Texts are made as rows are shown. Pairs are numbers in the comparison.
class MetadataDiffModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the comparison")
    /// Part of a key or of a value on either side; empty: all.
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(
        bool onlyDifferences READ isOnlyDifferences WRITE setOnlyDifferences NOTIFY filterChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// Without filter and switch.
    Q_PROPERTY(int total READ total NOTIFY countChanged)
    Q_PROPERTY(int differences READ differences NOTIFY countChanged)
    /// The pair that is shown in full; -1 for none.
    Q_PROPERTY(int selected READ selected WRITE setSelected NOTIFY selectedChanged)

public:
    enum Role {
        KeyRole = Qt::UserRole + 1,
        SymbolRole, ///< see diff_words
        StateRole,
        SameRole,
        ValueARole,
        ValueBRole,
        NoteRole,
        PairRole
    };

    explicit MetadataDiffModel(QObject* parent = nullptr);

    /// Null: none. Filter and switch stay, the selection as well where its key is still there.
    void setFiles(const std::shared_ptr<const ComparedFiles>& files);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& filter() const { return m_filter; }
    void setFilter(const QString& filter);
    [[nodiscard]] bool isOnlyDifferences() const { return m_isOnlyDifferences; }
    void setOnlyDifferences(bool only);
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int total() const;
    [[nodiscard]] int differences() const;
    [[nodiscard]] int selected() const { return m_selected; }
    void setSelected(int pair);
    /// Null where nothing is selected.
    [[nodiscard]] const engine::gguf::MetadataDiff* selectedDiff() const;
    /// Of either file; where both have it, of A.
    [[nodiscard]] const engine::gguf::MetadataEntry&
    entryOf(const engine::gguf::MetadataDiff& diff) const;

    /// The row of a pair, -1 where it is hidden; and back.
    Q_INVOKABLE int rowOf(int pair) const;
    Q_INVOKABLE int pairAt(int row) const;

Q_SIGNALS:
    void filterChanged();
    void countChanged();
    void selectedChanged();

private:
    void reset();
    void update();
    [[nodiscard]] bool matches(const engine::gguf::MetadataDiff& diff, const QString& wanted) const;
    [[nodiscard]] QString value(const engine::gguf::GgufFile& file,
                                std::optional<std::uint32_t> entry) const;

    std::shared_ptr<const ComparedFiles> m_files;
    QString m_filter;
    bool m_isOnlyDifferences = false;
    int m_selected = -1;
    std::vector<std::uint32_t> m_rows;
};
