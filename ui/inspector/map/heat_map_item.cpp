// The heat map's properties, its pictures and what it asks for.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/heat_map_item.h"

#include "ui/inspector/map/heat_map_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

HeatMapItem::HeatMapItem(QQuickItem* parent)
    : ZoomableItem(parent)
{
    m_asking.setSingleShot(true);
    m_asking.setInterval(heat_map::kStandstill);
    connect(&m_asking, &QTimer::timeout, this, &HeatMapItem::ask);
    connect(this, &ZoomableItem::viewChanged, &m_asking, qOverload<>(&QTimer::start));
}

void HeatMapItem::drop()
{
    m_grid = {};
    m_whole = { .version = m_whole.version + 1 };
    m_part = { .version = m_part.version + 1 };
    m_asked = {};
    m_hovered.reset();
    say({});
    fit(); // and asks
}

void HeatMapItem::setSource(const QString& source)
{
    if (source != m_source) {
        m_source = source;
        drop();
        Q_EMIT sourceChanged();
    }
}

void HeatMapItem::takeSize()
{
    setPlane({ std::max(m_columns, 1.0), std::max(m_rows, 1.0) });
    drop();
    Q_EMIT sizeChanged();
}

void HeatMapItem::setColumns(qreal columns)
{
    if (columns != m_columns) {
        m_columns = columns;
        takeSize();
    }
}

void HeatMapItem::setRows(qreal rows)
{
    if (rows != m_rows) {
        m_rows = rows;
        takeSize();
    }
}

void HeatMapItem::setGrid(const HeatGrid& grid)
{
    if (grid == m_grid) {
        return;
    }
    m_grid = grid;
    if (grid.isEmpty()) {
        drop();
    } else {
        const bool isWhole = grid.area.contains(QRectF(0, 0, m_columns, m_rows));
        Picture& picture = isWhole ? m_whole : m_part;
        picture.grid = grid;
        if (isWhole) {
            m_part = { .version = m_part.version + 1 };
        }
        updateRange();
        m_asking.start(); // the view may have gone on
    }
    update();
    Q_EMIT gridChanged();
}

void HeatMapItem::setColoring(Coloring coloring)
{
    if (coloring != m_coloring) {
        m_coloring = coloring;
        colorsTaken();
        update();
        Q_EMIT coloringChanged();
    }
}

void HeatMapItem::setLow(qreal low)
{
    if (low != m_wanted.low) {
        m_wanted.low = low;
        updateRange();
        Q_EMIT rangeChanged();
    }
}

void HeatMapItem::setHigh(qreal high)
{
    if (high != m_wanted.high) {
        m_wanted.high = high;
        updateRange();
        Q_EMIT rangeChanged();
    }
}

void HeatMapItem::colorsTaken()
{
    if (colors() != nullptr && !colors()->diverging.isEmpty() && !colors()->sequential.isEmpty()) {
        m_colors = m_coloring == Diverging ? colors()->divergingMap() : colors()->sequentialMap();
        updateRange();
    }
}

void HeatMapItem::updateRange()
{
    const HeatRange range = m_wanted.high > m_wanted.low
        ? m_wanted
        : suitedRange(m_part.grid.isEmpty() ? m_whole.grid : m_part.grid, m_coloring == Diverging);
    if (range != m_shown) {
        m_shown = range;
        Q_EMIT shownRangeChanged();
    }
    paint(m_whole);
    paint(m_part);
    update();
}

void HeatMapItem::paint(Picture& picture)
{
    ++picture.version;
    const HeatGrid& grid = picture.grid;
    if (grid.isEmpty() || colors() == nullptr) {
        picture.image = {};
        return;
    }
    picture.image = QImage(grid.width, grid.height, QImage::Format_RGB32);
    const double span = m_shown.high - m_shown.low;
    const double unit = span > 0 ? 1 / span : 0;
    const QRgb bad = colors()->error.rgb();
    for (int y = 0; y < grid.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(y));
        for (int x = 0; x < grid.width; ++x) {
            const float value = grid.at(x, y);
            line[x] = std::isnan(value)
                ? bad
                : m_colors.at(span > 0 ? (value - m_shown.low) * unit : 0.5);
        }
    }
}

QRectF HeatMapItem::shownArea() const
{
    const glm::dvec2 low = view().origin();
    const glm::dvec2 high = view().toPlane(view().viewport());
    return QRectF(QPointF(low.x, low.y), QPointF(high.x, high.y)) & QRectF(0, 0, m_columns, m_rows);
}

// Finer cells, unless those in view are as fine as the screen or the tensor.
void HeatMapItem::ask()
{
    const QRectF area = shownArea();
    if (area.isEmpty() || width() < 1 || height() < 1) {
        return;
    }
    const glm::dvec2 scale = view().scale();
    for (const Picture* picture : { &m_part, &m_whole }) {
        const HeatGrid& grid = picture->grid;
        if (grid.isEmpty() || !grid.area.contains(area)) {
            continue;
        }
        const QSizeF cell = grid.cellSize();
        const bool isFine = (cell.width() <= 1 || cell.width() * scale.x <= heat_map::kFine)
            && (cell.height() <= 1 || cell.height() * scale.y <= heat_map::kFine);
        if (isFine) {
            return;
        }
    }
    const double more = heat_map::kMargin;
    const QRectF wanted = area.adjusted(-area.width() * more, -area.height() * more,
                                        area.width() * more, area.height() * more)
        & QRectF(0, 0, m_columns, m_rows);
    const QRectF whole(QPointF(std::floor(wanted.left()), std::floor(wanted.top())),
                       QPointF(std::ceil(wanted.right()), std::ceil(wanted.bottom())));
    const auto cells = [](double numbers, double pixels) {
        return static_cast<int>(
            std::clamp(std::min(numbers, std::ceil(numbers * pixels)), 1.0, heat_map::kMostCells));
    };
    const QSize grid(cells(whole.width(), scale.x), cells(whole.height(), scale.y));
    if (whole != m_asked || grid != m_askedCells) {
        m_asked = whole;
        m_askedCells = grid;
        Q_EMIT needsRegion(whole.x(), whole.y(), whole.width(), whole.height(), grid.width(),
                           grid.height());
    }
}

const HeatGrid* HeatMapItem::finest(double column, double row) const
{
    for (const Picture* picture : { &m_part, &m_whole }) {
        if (picture->grid.over(column, row)) {
            return &picture->grid;
        }
    }
    return nullptr;
}

float HeatMapItem::valueAt(double column, double row) const
{
    const HeatGrid* grid = finest(column, row);
    return grid == nullptr ? std::numeric_limits<float>::quiet_NaN()
                           : grid->over(column, row).value();
}

void HeatMapItem::setSelectedRow(qreal row)
{
    select(row, m_selectedColumn);
}

void HeatMapItem::setSelectedColumn(qreal column)
{
    select(m_selectedRow, column);
}

void HeatMapItem::select(qreal row, qreal column)
{
    if (row == m_selectedRow && column == m_selectedColumn) {
        return;
    }
    m_selectedRow = row;
    m_selectedColumn = column;
    if (row >= 0 && column >= 0) {
        changeView([&](ViewTransform& view) {
            view.reveal({ column, row }, { column + 1, row + 1 });
        });
    }
    update();
    Q_EMIT selectionChanged();
}

QRectF HeatMapItem::rectOf(qreal row, qreal column) const
{
    const glm::dvec2 low = view().toScreen({ column, row });
    const glm::dvec2 high = view().toScreen({ column + 1, row + 1 });
    return { QPointF(low.x, low.y), QPointF(high.x, high.y) };
}

void HeatMapItem::limitZoom(QPointF /*point*/)
{
    changeView([](ViewTransform& view) {
        view.setLargestScale({ heat_map::kDeepestWidth, heat_map::kDeepestHeight });
    });
}

void HeatMapItem::showCell(qreal row, qreal column)
{
    limitZoom({});
    changeView([&](ViewTransform& view) {
        view.show({ column, row }, { column + 1, row + 1 }, 1);
    });
}
