// The entry or tensor of a comparison that is selected, in full, on both sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/metadata_diff_model.h"
#include "ui/inspector/tensor_diff_model.h"

#include <QtCore/QObject>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the models outlive it.
class ComparisonDetail : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the comparison")
    /// Which of the tables is followed: "metadata", "tensors" or "totals".
    Q_PROPERTY(QString table READ table WRITE setTable NOTIFY changed)
    /// Key or tensor; empty when none is selected.
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(QString stateText READ stateText NOTIFY changed)
    /// What is to be said of both sides together.
    Q_PROPERTY(QString note READ note NOTIFY changed)
    /// Type, place and value; empty on a side that has none.
    Q_PROPERTY(QString factsA READ factsA NOTIFY changed)
    Q_PROPERTY(QString factsB READ factsB NOTIFY changed)
    Q_PROPERTY(QString valueA READ valueA NOTIFY changed)
    Q_PROPERTY(QString valueB READ valueB NOTIFY changed)
    Q_PROPERTY(bool inA READ isInA NOTIFY changed)
    Q_PROPERTY(bool inB READ isInB NOTIFY changed)
    /// Bytes in the files; -1 and 0 on a side that has none.
    Q_PROPERTY(double offsetA READ offsetA NOTIFY changed)
    Q_PROPERTY(double sizeA READ sizeA NOTIFY changed)
    Q_PROPERTY(double offsetB READ offsetB NOTIFY changed)
    Q_PROPERTY(double sizeB READ sizeB NOTIFY changed)

public:
    ComparisonDetail(const MetadataDiffModel& metadata, const TensorDiffModel& tensors,
                     QObject* parent = nullptr);

    void setFiles(const std::shared_ptr<const ComparedFiles>& files);

    [[nodiscard]] const QString& table() const { return m_table; }
    void setTable(const QString& table);
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] QString factsA() const;
    [[nodiscard]] QString factsB() const;
    [[nodiscard]] QString valueA() const;
    [[nodiscard]] QString valueB() const;
    [[nodiscard]] bool isInA() const { return sideA().has_value(); }
    [[nodiscard]] bool isInB() const { return sideB().has_value(); }
    [[nodiscard]] double offsetA() const;
    [[nodiscard]] double sizeA() const;
    [[nodiscard]] double offsetB() const;
    [[nodiscard]] double sizeB() const;
    /// Number in A of what is selected.
    [[nodiscard]] std::optional<std::uint32_t> sideA() const;

Q_SIGNALS:
    void changed();

private:
    using GgufFile = engine::gguf::GgufFile;
    [[nodiscard]] std::optional<std::uint32_t> sideB() const;
    /// Null while the other table is followed.
    [[nodiscard]] const engine::gguf::MetadataDiff* entry() const;
    [[nodiscard]] const engine::gguf::TensorDiff* tensor() const;
    [[nodiscard]] QString facts(const GgufFile& file, std::optional<std::uint32_t> number) const;
    [[nodiscard]] QString value(const GgufFile& file, std::optional<std::uint32_t> number) const;
    [[nodiscard]] engine::gguf::ByteSpan span(const GgufFile& file, std::uint32_t number) const;

    const MetadataDiffModel& m_metadata;
    const TensorDiffModel& m_tensors;
    std::shared_ptr<const ComparedFiles> m_files;
    QString m_table = QStringLiteral("metadata");
};
