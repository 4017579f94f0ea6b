// The picture of the tensor that is selected: its values or block scales as grids for a heat map.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "engine/eval/scan.h"
#include "engine/eval/tensor_picture.h"
#include "ui/inspector/inspector_selection.h"
#include "ui/inspector/map/heat_grid.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QTimer>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>

/// Lives on the GUI thread; the selection outlives it. Wishes (`show`) are answered through `grid`,
/// computed on a thread of its own while the model is active: the whole tensor first, and of parts
/// only the one that was wished for last.
class TensorPictureModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// What is shown: values where the type has no block scales, else what was chosen last.
    Q_PROPERTY(What what READ what WRITE setWhat NOTIFY changed)
    Q_PROPERTY(bool hasScales READ hasScales NOTIFY changed)
    /// Someone sees it: nothing is computed before.
    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY activeChanged)
    /// Another one whenever grids given before are of something else.
    Q_PROPERTY(QString key READ key NOTIFY changed)
    /// "576 rows × 48 blocks"; empty without a picture.
    Q_PROPERTY(QString sizeText READ sizeText NOTIFY changed)
    Q_PROPERTY(double rows READ rows NOTIFY changed)
    Q_PROPERTY(double columns READ columns NOTIFY changed)
    /// Columns that belong to a block.
    Q_PROPERTY(double blockColumns READ blockColumns NOTIFY changed)
    Q_PROPERTY(HeatGrid grid READ grid NOTIFY gridChanged)
    /// There is a grid.
    Q_PROPERTY(bool drawn READ isDrawn NOTIFY gridChanged)
    /// Cells of the grid that hold a number that is NaN or infinite.
    Q_PROPERTY(double badCells READ badCells NOTIFY gridChanged)
    /// Each cell of the grid is one number.
    Q_PROPERTY(bool exact READ isExact NOTIFY gridChanged)
    /// Why there is no picture.
    Q_PROPERTY(QString note READ note NOTIFY changed)
    /// How far it is, from 0 to 1, once that takes long enough to be told; −1 else.
    Q_PROPERTY(double fraction READ fraction NOTIFY progressChanged)

public:
    enum What { Values, Scales };
    Q_ENUM(What)
    using File = InspectorSelection::File;

    explicit TensorPictureModel(InspectorSelection& selection, QObject* parent = nullptr);
    ~TensorPictureModel() override;

    void setFile(const File& file);

    [[nodiscard]] What what() const { return m_what; }
    void setWhat(What what);
    [[nodiscard]] bool hasScales() const { return m_hasScales; }
    [[nodiscard]] bool isActive() const { return m_isActive; }
    void setActive(bool isActive);
    [[nodiscard]] QString key() const { return QString::number(m_generation); }
    [[nodiscard]] QString sizeText() const;
    [[nodiscard]] double rows() const { return static_cast<double>(m_size.rows); }
    [[nodiscard]] double columns() const { return static_cast<double>(m_size.columns); }
    [[nodiscard]] double blockColumns() const { return static_cast<double>(m_blockColumns); }
    [[nodiscard]] const HeatGrid& grid() const { return m_grid; }
    [[nodiscard]] bool isDrawn() const { return !m_grid.isEmpty(); }
    [[nodiscard]] double badCells() const { return static_cast<double>(m_badCells); }
    [[nodiscard]] bool isExact() const { return isDrawn() && m_grid.isExact(); }
    [[nodiscard]] const QString& note() const { return m_note; }
    [[nodiscard]] double fraction() const { return m_fraction; }
    [[nodiscard]] bool isRunning() const { return m_task.isRunning(); }

    /// Rows from y and columns from x in so many cells at most: HeatMapItem::needsRegion.
    Q_INVOKABLE void show(double x, double y, double w, double h, int cellsX, int cellsY);
    /// "Row 12, block 7: 0.01796", of this one number whatever the grid's cells are; empty where
    /// there is none.
    Q_INVOKABLE QString numberText(double row, double column) const;

Q_SIGNALS:
    void changed();
    void activeChanged();
    void gridChanged();
    void progressChanged();
    void runningChanged();

private:
    struct Answer;
    using Wish = engine::eval::PictureRequest;

    [[nodiscard]] const engine::gguf::TensorInfo* current() const;
    [[nodiscard]] bool isWhole(const Wish& wish) const { return wish.area == m_size; }
    [[nodiscard]] std::optional<double> numberAt(double row, double column) const;
    void begin();
    void measure();
    void next();
    void run(const Wish& wish);
    void take(const Wish& wish, const Answer& answer);
    void watch();

    InspectorSelection& m_selection;
    File m_file;
    int m_tensor = -1;
    What m_wanted = Scales;
    What m_what = Values;
    bool m_hasScales = false;
    bool m_isActive = false;
    quint64 m_generation = 0;
    engine::eval::PictureArea m_size { 0, 0, 0, 0 };
    quint64 m_blockColumns = 1;
    HeatGrid m_grid;
    quint64 m_badCells = 0;
    QString m_note;
    // Not answered yet, including the one that runs.
    std::optional<Wish> m_wholeWish;
    std::optional<Wish> m_partWish;
    std::shared_ptr<engine::eval::ScanProgress> m_progress; ///< of the piece that runs
    QTimer m_watch;
    double m_fraction = -1;
    app::LatestTask m_task;
};
