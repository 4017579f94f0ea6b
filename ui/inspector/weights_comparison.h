// Comparing the weights of two files byte for byte, with progress, until somebody stops it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "ui/components/notice.h"
#include "ui/inspector/tensor_diff_model.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtQml/qqmlregistration.h>

#include <memory>

/// Lives on the GUI thread, reads on another; the model outlives it and gets the results. Small
/// files are compared at once, large ones when asked for.
class WeightsComparison : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the comparison")
    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    /// From 0 to 1.
    Q_PROPERTY(double fraction READ fraction NOTIFY progressed)
    /// There are weights to compare, which has not been done.
    Q_PROPERTY(bool offered READ isOffered NOTIFY changed)
    /// What was found, or what there is to compare.
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Why it failed.
    Q_PROPERTY(Notice notice READ notice NOTIFY changed)

public:
    explicit WeightsComparison(TensorDiffModel& tensors, QObject* parent = nullptr);

    /// Null: none.
    void setFiles(const std::shared_ptr<const ComparedFiles>& files);

    [[nodiscard]] bool isRunning() const { return m_task.isRunning(); }
    [[nodiscard]] double fraction() const { return m_progress ? m_progress->fraction() : 0; }
    [[nodiscard]] bool isOffered() const { return m_bytes > 0 && !isRunning() && m_data.empty(); }
    /// Every tensor has the same weights in both.
    [[nodiscard]] bool isSame() const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] const Notice& notice() const { return m_notice; }
    /// Empty before.
    [[nodiscard]] const TensorDiffModel::Data& data() const { return m_data; }

    Q_INVOKABLE void start();
    Q_INVOKABLE void cancel();
    /// The notice was read.
    Q_INVOKABLE void dismiss();

Q_SIGNALS:
    void changed();
    void progressed();

private:
    using Results = engine::Result<TensorDiffModel::Data>;
    void take(const Results& results);
    [[nodiscard]] int countOf(engine::eval::DataState state) const;

    TensorDiffModel& m_tensors;
    std::shared_ptr<const ComparedFiles> m_files;
    std::uint64_t m_bytes = 0; ///< to be compared in each file
    TensorDiffModel::Data m_data;
    Notice m_notice;
    std::shared_ptr<engine::eval::ScanProgress> m_progress;
    QTimer m_look;
    app::LatestTask m_task;
};
