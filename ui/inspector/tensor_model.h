// The tensors of a file as a table: filtered, sorted, grouped by layer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "ui/inspector/tensor_filter.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// Lives on the GUI thread. Texts are made as rows are shown.
class TensorModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// See TensorFilter; empty: all tensors.
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    /// What is wrong with the filter; empty when all is well.
    Q_PROPERTY(QString complaint READ complaint NOTIFY filterChanged)
    Q_PROPERTY(Column sortColumn READ sortColumn NOTIFY orderChanged)
    Q_PROPERTY(bool descending READ isDescending NOTIFY orderChanged)
    /// Tensors of a layer stand together, below its name.
    Q_PROPERTY(bool grouped READ isGrouped WRITE setGrouped NOTIFY orderChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// Without the filter.
    Q_PROPERTY(int total READ total NOTIFY countChanged)
    /// Of what is shown: "9 of 272 · 2.2 MB · Q4_1 98.7 %, F32 1.3 %".
    Q_PROPERTY(QString summary READ summary NOTIFY countChanged)

public:
    enum Column { File, Name, Shape, Type, Bits, Offset, Size };
    Q_ENUM(Column)
    enum Role {
        NameRole = Qt::UserRole + 1,
        ShapeRole,
        TypeRole,
        BitsRole,
        OffsetRole,
        SizeRole,
        ShareRole, ///< of the file
        TensorRole, ///< number in the file
        LayerRole, ///< name of the group
        BrokenRole ///< its weights do not lie in the file
    };
    using GgufFile = std::shared_ptr<const engine::gguf::GgufFile>;

    explicit TensorModel(QObject* parent = nullptr);

    /// Null: none. Filter and order stay.
    void setFile(const GgufFile& file);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& filter() const { return m_filterText; }
    void setFilter(const QString& filter);
    [[nodiscard]] const QString& complaint() const { return m_filter.complaint(); }
    [[nodiscard]] Column sortColumn() const { return m_column; }
    [[nodiscard]] bool isDescending() const { return m_descending; }
    [[nodiscard]] bool isGrouped() const { return m_grouped; }
    void setGrouped(bool grouped);
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int total() const;
    [[nodiscard]] const QString& summary() const { return m_summary; }

    /// Sorts by a column; once more turns the order around, a third time goes back to that of the
    /// file.
    Q_INVOKABLE void sortBy(TensorModel::Column column);
    /// The row of a tensor, -1 where the filter hides it; and back.
    Q_INVOKABLE int rowOf(int tensor) const;
    Q_INVOKABLE int tensorAt(int row) const;

Q_SIGNALS:
    void filterChanged();
    void orderChanged();
    void countChanged();

private:
    void update();
    void reset();
    [[nodiscard]] bool before(std::uint32_t left, std::uint32_t right) const;
    [[nodiscard]] QString layerName(const engine::gguf::TensorInfo& tensor) const;

    GgufFile m_file;
    TensorFilter m_filter;
    QString m_filterText;
    Column m_column = Column::File;
    bool m_descending = false;
    bool m_grouped = false;
    std::vector<std::uint32_t> m_rows;
    QString m_summary;
};
