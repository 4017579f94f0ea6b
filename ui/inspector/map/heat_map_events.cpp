// What pointer and keys do to the heat map.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/heat_map_item.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

void HeatMapItem::hoverAt(QPointF point)
{
    const glm::dvec2 at = view().toPlane({ point.x(), point.y() });
    const QPointF cell(std::floor(at.x), std::floor(at.y));
    if (cell.x() < 0 || cell.y() < 0 || cell.x() >= m_columns || cell.y() >= m_rows) {
        hoverNowhere();
    } else if (m_hovered != cell) {
        m_hovered = cell;
        update();
        Q_EMIT hovered(cell.y(), cell.x(), static_cast<double>(valueAt(at.x, at.y)));
    }
}

void HeatMapItem::hoverNowhere()
{
    if (m_hovered) {
        m_hovered.reset();
        update();
        Q_EMIT hovered(-1, -1, std::numeric_limits<double>::quiet_NaN());
    }
}

void HeatMapItem::pickAt(QPointF point)
{
    const glm::dvec2 at = view().toPlane({ point.x(), point.y() });
    if (at.x >= 0 && at.y >= 0 && at.x < m_columns && at.y < m_rows) {
        select(std::floor(at.y), std::floor(at.x));
        Q_EMIT picked(m_selectedRow, m_selectedColumn);
    }
}

void HeatMapItem::openAt(QPointF point)
{
    if (isZoomed()) {
        fit();
        return;
    }
    const glm::dvec2 at = view().toPlane({ point.x(), point.y() });
    showCell(std::floor(at.y), std::floor(at.x));
}

// From cell to cell as they are drawn.
void HeatMapItem::moveCursor(Step step)
{
    if (m_columns < 1 || m_rows < 1) {
        return;
    }
    double column = std::max(m_selectedColumn, 0.0);
    double row = std::max(m_selectedRow, 0.0);
    const HeatGrid* grid = finest(column, row);
    const QSizeF cell = grid == nullptr ? QSizeF(1, 1) : grid->cellSize();
    const double across = std::max(1.0, std::round(cell.width()));
    const double down = std::max(1.0, std::round(cell.height()));
    const bool isFirst = m_selectedColumn < 0 || m_selectedRow < 0;
    switch (step) {
    case Step::Left:
        column -= isFirst ? 0 : across;
        break;
    case Step::Right:
        column += isFirst ? 0 : across;
        break;
    case Step::Up:
        row -= isFirst ? 0 : down;
        break;
    case Step::Down:
        row += isFirst ? 0 : down;
        break;
    case Step::First:
        column = 0;
        break;
    case Step::Last:
        column = m_columns - 1;
        break;
    }
    column = std::clamp(column, 0.0, m_columns - 1);
    row = std::clamp(row, 0.0, m_rows - 1);
    select(row, column);
    const double value = static_cast<double>(valueAt(column, row));
    Q_EMIT hovered(row, column, value);
    say(tr("row %1, column %2: %3")
            .arg(QLocale().toString(static_cast<qint64>(row)),
                 QLocale().toString(static_cast<qint64>(column)),
                 QLocale().toString(value, 'g', 6)));
}

void HeatMapItem::pickCursor()
{
    if (m_selectedRow >= 0 && m_selectedColumn >= 0) {
        Q_EMIT picked(m_selectedRow, m_selectedColumn);
    }
}
