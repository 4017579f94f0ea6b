// A tensor's values or block scales as coloured cells, down to single numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/map/heat_grid.h"
#include "ui/inspector/map/zoomable_item.h"

#include <QtCore/QTimer>
#include <QtGui/QImage>

/// Asks for the numbers it needs (needsRegion) and shows what it is given through `grid`, at once
/// or later: a grid that covers everything is kept below those of parts. HeatMap.qml gives it
/// colours, a focus ring and its name.
class HeatMapItem : public ZoomableItem
{
    Q_OBJECT
    QML_ELEMENT
    /// What the numbers are of (a tensor's name): a change drops all grids and shows everything.
    Q_PROPERTY(QString source READ source WRITE setSource NOTIFY sourceChanged)
    Q_PROPERTY(qreal columns READ columns WRITE setColumns NOTIFY sizeChanged)
    Q_PROPERTY(qreal rows READ rows WRITE setRows NOTIFY sizeChanged)
    Q_PROPERTY(HeatGrid grid READ grid WRITE setGrid NOTIFY gridChanged)
    Q_PROPERTY(Coloring coloring READ coloring WRITE setColoring NOTIFY coloringChanged)
    /// The numbers at the ends of the colours; chosen by the grid while high is not above low.
    Q_PROPERTY(qreal low READ low WRITE setLow NOTIFY rangeChanged)
    Q_PROPERTY(qreal high READ high WRITE setHigh NOTIFY rangeChanged)
    Q_PROPERTY(qreal shownLow READ shownLow NOTIFY shownRangeChanged)
    Q_PROPERTY(qreal shownHigh READ shownHigh NOTIFY shownRangeChanged)
    /// The selected number, framed; −1: none.
    Q_PROPERTY(qreal selectedRow READ selectedRow WRITE setSelectedRow NOTIFY selectionChanged)
    Q_PROPERTY(
        qreal selectedColumn READ selectedColumn WRITE setSelectedColumn NOTIFY selectionChanged)

public:
    enum Coloring { Diverging, Sequential }; ///< around zero, or from little to much
    Q_ENUM(Coloring)

    explicit HeatMapItem(QQuickItem* parent = nullptr);

    [[nodiscard]] QString source() const { return m_source; }
    void setSource(const QString& source);
    [[nodiscard]] qreal columns() const { return m_columns; }
    void setColumns(qreal columns);
    [[nodiscard]] qreal rows() const { return m_rows; }
    void setRows(qreal rows);
    [[nodiscard]] HeatGrid grid() const { return m_grid; }
    void setGrid(const HeatGrid& grid);
    [[nodiscard]] Coloring coloring() const { return m_coloring; }
    void setColoring(Coloring coloring);
    [[nodiscard]] qreal low() const { return m_wanted.low; }
    void setLow(qreal low);
    [[nodiscard]] qreal high() const { return m_wanted.high; }
    void setHigh(qreal high);
    [[nodiscard]] qreal shownLow() const { return m_shown.low; }
    [[nodiscard]] qreal shownHigh() const { return m_shown.high; }
    [[nodiscard]] qreal selectedRow() const { return m_selectedRow; }
    void setSelectedRow(qreal row);
    [[nodiscard]] qreal selectedColumn() const { return m_selectedColumn; }
    void setSelectedColumn(qreal column);

    /// Where a number is drawn, in the item's coordinates.
    Q_INVOKABLE QRectF rectOf(qreal row, qreal column) const;
    /// Zooms in until numbers can be read there.
    Q_INVOKABLE void showCell(qreal row, qreal column);

Q_SIGNALS:
    void sourceChanged();
    void sizeChanged();
    void gridChanged();
    void coloringChanged();
    void rangeChanged();
    void shownRangeChanged();
    void selectionChanged();
    /// Columns from x, rows from y: to be given as so many cells at most.
    void needsRegion(qreal x, qreal y, qreal w, qreal h, int cellsX, int cellsY);
    /// The number under the pointer or the keyboard's cursor (of its cell, where several share
    /// one); row −1 when there is none any more, NaN where none is known yet.
    void hovered(qreal row, qreal column, qreal value);
    /// Click or Enter.
    void picked(qreal row, qreal column);

protected:
    void limitZoom(QPointF point) override;
    void hoverAt(QPointF point) override;
    void hoverNowhere() override;
    void pickAt(QPointF point) override;
    void openAt(QPointF point) override;
    void moveCursor(Step step) override;
    void pickCursor() override;
    void colorsTaken() override;
    void draw(TriangleBatch& shapes, QList<MapLabel>& labels) override;
    void updatePictures(QSGNode* group) override;

private:
    /// A grid and its colours; `version` changes with the picture.
    struct Picture
    {
        HeatGrid grid;
        QImage image;
        int version = 0;
    };

    void drop();
    void takeSize();
    void updateRange();
    void paint(Picture& picture);
    void ask();
    void select(qreal row, qreal column);
    [[nodiscard]] QRectF shownArea() const;
    [[nodiscard]] const HeatGrid* finest(double column, double row) const;
    [[nodiscard]] float valueAt(double column, double row) const;
    void drawCells(TriangleBatch& shapes, QList<MapLabel>& labels) const;
    void drawNumber(double row, double column, TriangleBatch& shapes,
                    QList<MapLabel>& labels) const;
    void drawSelection(TriangleBatch& shapes) const;
    void place(QSGNode* group, const Picture& picture, int slot);

    QString m_source;
    qreal m_columns = 0;
    qreal m_rows = 0;
    HeatGrid m_grid; // as it was given last
    Picture m_whole;
    Picture m_part;
    ColorMap m_colors;
    Coloring m_coloring = Diverging;
    HeatRange m_wanted;
    HeatRange m_shown;
    qreal m_selectedRow = -1;
    qreal m_selectedColumn = -1;
    std::optional<QPointF> m_hovered; // column and row
    QTimer m_asking; // once the view has stood still for a moment
    QRectF m_asked;
    QSize m_askedCells;
};
