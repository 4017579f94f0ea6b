// The tensors of two files side by side as a table: filtered, sorted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/data_diff.h"
#include "ui/inspector/compared_files.h"
#include "ui/inspector/tensor_filter.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// Lives on the GUI thread. Texts are made as rows are shown. Pairs are numbers in the comparison.
class TensorDiffModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the comparison")
    /// See TensorFilter; holds for the tensor of either file.
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    /// What is wrong with the filter; empty when all is well.
    Q_PROPERTY(QString complaint READ complaint NOTIFY filterChanged)
    Q_PROPERTY(
        bool onlyDifferences READ isOnlyDifferences WRITE setOnlyDifferences NOTIFY filterChanged)
    Q_PROPERTY(Column sortColumn READ sortColumn NOTIFY orderChanged)
    Q_PROPERTY(bool descending READ isDescending NOTIFY orderChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// Without filter and switch.
    Q_PROPERTY(int total READ total NOTIFY countChanged)
    /// Weights that differ count, once they were compared.
    Q_PROPERTY(int differences READ differences NOTIFY countChanged)
    /// The pair that is shown in full; -1 for none.
    Q_PROPERTY(int selected READ selected WRITE setSelected NOTIFY selectedChanged)

public:
    /// File: the order of the files.
    enum Column { File, Name, Size };
    Q_ENUM(Column)
    enum Role {
        NameRole = Qt::UserRole + 1,
        SymbolRole, ///< see diff_words
        StateRole,
        SameRole,
        ShapeRole, ///< "64 × 8", "64 × 8 → 64 × 16"
        TypeARole, ///< empty where A has no such tensor
        TypeBRole,
        SizeARole,
        SizeBRole,
        DifferenceRole, ///< of the sizes
        PairRole
    };
    using Data = std::vector<engine::eval::DataDiff>;

    explicit TensorDiffModel(QObject* parent = nullptr);

    /// Null: none. Filter, switch and order stay, the selection as well where its tensor is still
    /// there. The weights have not been compared then.
    void setFiles(const std::shared_ptr<const ComparedFiles>& files);
    /// Of the weights of each pair.
    void setData(Data data);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& filter() const { return m_filterText; }
    void setFilter(const QString& filter);
    [[nodiscard]] const QString& complaint() const { return m_filter.complaint(); }
    [[nodiscard]] bool isOnlyDifferences() const { return m_isOnlyDifferences; }
    void setOnlyDifferences(bool only);
    [[nodiscard]] Column sortColumn() const { return m_column; }
    [[nodiscard]] bool isDescending() const { return m_isDescending; }
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int total() const;
    [[nodiscard]] int differences() const { return m_differences; }
    [[nodiscard]] int selected() const { return m_selected; }
    void setSelected(int pair);
    /// Null where nothing is selected.
    [[nodiscard]] const engine::gguf::TensorDiff* selectedDiff() const;
    /// Of either file; where both have it, of A.
    [[nodiscard]] const engine::gguf::TensorInfo&
    tensorOf(const engine::gguf::TensorDiff& diff) const;
    /// Unknown before the weights were compared.
    [[nodiscard]] engine::eval::DataDiff dataOf(int pair) const;

    /// Sorts by a column; once more turns the order around, a third time goes back to that of the
    /// files.
    Q_INVOKABLE void sortBy(TensorDiffModel::Column column);
    /// The row of a pair, -1 where it is hidden; and back.
    Q_INVOKABLE int rowOf(int pair) const;
    Q_INVOKABLE int pairAt(int row) const;
    /// The pair of a tensor by its number in A or B; -1 for none.
    Q_INVOKABLE int pairOf(int tensor, bool inA) const;

Q_SIGNALS:
    void filterChanged();
    void orderChanged();
    void countChanged();
    void selectedChanged();

private:
    void reset();
    void update();
    [[nodiscard]] const engine::gguf::TensorDiff& diffAt(std::size_t pair) const;
    [[nodiscard]] const engine::gguf::TensorInfo* inA(const engine::gguf::TensorDiff& diff) const;
    [[nodiscard]] const engine::gguf::TensorInfo* inB(const engine::gguf::TensorDiff& diff) const;
    [[nodiscard]] bool isSame(std::size_t pair) const;
    [[nodiscard]] bool matches(std::size_t pair) const;
    [[nodiscard]] qint64 sizeDifference(const engine::gguf::TensorDiff& diff) const;
    [[nodiscard]] bool before(std::uint32_t left, std::uint32_t right) const;
    [[nodiscard]] QString shapeText(const engine::gguf::TensorDiff& diff) const;

    std::shared_ptr<const ComparedFiles> m_files;
    Data m_data;
    TensorFilter m_filter;
    QString m_filterText;
    Column m_column = Column::File;
    bool m_isDescending = false;
    bool m_isOnlyDifferences = false;
    int m_selected = -1;
    int m_differences = 0;
    std::vector<std::uint32_t> m_rows;
};
