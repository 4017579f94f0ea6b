// The tensor that is selected: facts, statistics, and one of its blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inspection_service.h"
#include "ui/inspector/block_explorer.h"
#include "ui/inspector/inspector_selection.h"
#include "ui/inspector/weight_histogram.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; service and selection outlive it. Statistics of tensors that are not
/// large are gathered as they are selected.
class TensorDetail : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// Number in the file; -1 when none is selected.
    Q_PROPERTY(int tensor READ tensor NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(QString typeName READ typeName NOTIFY changed)
    /// Maps of name and value.
    Q_PROPERTY(QVariantList facts READ facts NOTIFY changed)
    Q_PROPERTY(QVariantList statistics READ statistics NOTIFY statisticsChanged)
    Q_PROPERTY(bool gathering READ isGathering NOTIFY statisticsChanged)
    /// From 0 to 1; below 0 until it has taken a moment.
    Q_PROPERTY(double gatherFraction READ gatherFraction NOTIFY statisticsChanged)
    Q_PROPERTY(WeightHistogram* histogram READ histogram CONSTANT)
    /// Why there are no statistics.
    Q_PROPERTY(QString statisticsNote READ statisticsNote NOTIFY statisticsChanged)
    /// The block with the first selected byte; of a plain type some numbers around it.
    Q_PROPERTY(double row READ row WRITE setRow NOTIFY blockChanged)
    Q_PROPERTY(double block READ block WRITE setBlock NOTIFY blockChanged)
    Q_PROPERTY(double rows READ rows NOTIFY changed)
    Q_PROPERTY(double blocksPerRow READ blocksPerRow NOTIFY changed)
    Q_PROPERTY(QString blockSummary READ blockSummary NOTIFY blockChanged)
    /// The block down to its bits.
    Q_PROPERTY(BlockExplorer* explorer READ explorer CONSTANT)
    Q_PROPERTY(double blockOffset READ blockOffset NOTIFY blockChanged)
    /// Why there is no block.
    Q_PROPERTY(QString blockNote READ blockNote NOTIFY blockChanged)

public:
    using File = app::InspectionService::File;

    TensorDetail(app::InspectionService& service, InspectorSelection& selection,
                 QObject* parent = nullptr);

    void setFile(const File& file);

    [[nodiscard]] int tensor() const { return m_tensor; }
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString typeName() const;
    [[nodiscard]] QVariantList facts() const;
    [[nodiscard]] const QVariantList& statistics() const { return m_statistics; }
    /// Or about to begin.
    [[nodiscard]] bool isGathering() const
    {
        return m_service.isGathering() || m_patience.isActive();
    }
    [[nodiscard]] double gatherFraction() const
    {
        return m_quiet.isActive() ? -1 : m_service.statisticsFraction();
    }
    [[nodiscard]] WeightHistogram* histogram() { return &m_histogram; }
    [[nodiscard]] const QString& statisticsNote() const { return m_statisticsNote; }
    [[nodiscard]] double row() const { return static_cast<double>(m_row); }
    void setRow(double row) { selectBlock(row, block()); }
    [[nodiscard]] double block() const { return static_cast<double>(m_block); }
    void setBlock(double block) { selectBlock(row(), block); }
    [[nodiscard]] double rows() const;
    [[nodiscard]] double blocksPerRow() const { return static_cast<double>(m_perRow); }
    [[nodiscard]] QString blockSummary() const;
    [[nodiscard]] BlockExplorer* explorer() { return &m_explorer; }
    [[nodiscard]] double blockOffset() const { return static_cast<double>(m_blockOffset); }
    [[nodiscard]] const QString& blockNote() const { return m_blockNote; }

    Q_INVOKABLE void gather();
    Q_INVOKABLE void cancelGathering();
    /// Selects the bytes of a block, kept within the tensor; a step past the end of a row goes to
    /// the next one.
    Q_INVOKABLE void selectBlock(double row, double block);

Q_SIGNALS:
    void changed();
    void statisticsChanged();
    void blockChanged();

private:
    void follow();
    void showBlock();
    void takeStatistics(const engine::eval::TensorSummary& summary);
    [[nodiscard]] const engine::gguf::TensorInfo* current() const;

    app::InspectionService& m_service;
    InspectorSelection& m_selection;
    File m_file;
    int m_tensor = -1;
    QTimer m_patience; ///< who browses through a list wants no statistics of each tensor
    QTimer m_quiet; ///< nothing is told of what ends at once
    QVariantList m_statistics;
    WeightHistogram m_histogram;
    QString m_statisticsNote;
    quint64 m_perRow = 0;
    quint64 m_row = 0;
    quint64 m_block = 0;
    quint64 m_blockOffset = 0;
    BlockExplorer m_explorer;
    QString m_blockNote;
};
