// Bars around zero.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/bar_plot_item.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <cmath>

namespace {

constexpr double kPale = 0.62; // of the accent, in a bar that is not pointed at
constexpr double kGap = 0.2; // of a column, between bars
constexpr double kLeastHeight = 1; // of a bar that is not zero

} // namespace

void BarPlotItem::setValues(const QList<qreal>& values)
{
    if (values == m_values) {
        return;
    }
    m_values = values;
    m_low = 0;
    m_high = 0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            m_low = std::min(m_low, value);
            m_high = std::max(m_high, value);
        }
    }
    m_hovered = -1;
    m_cursor = -1;
    say({});
    update();
    Q_EMIT valuesChanged();
}

void BarPlotItem::setHighlighted(int index)
{
    if (index != m_highlighted) {
        m_highlighted = index;
        update();
        Q_EMIT highlightedChanged();
    }
}

void BarPlotItem::setSelected(int index)
{
    if (index != m_selected) {
        m_selected = index;
        update();
        Q_EMIT selectedChanged();
    }
}

double BarPlotItem::heightOf(double value) const
{
    const double span = m_high - m_low;
    return span > 0 ? (m_high - value) / span * height() : height() / 2;
}

QRectF BarPlotItem::columnOf(int index) const
{
    if (index < 0 || index >= m_values.size()) {
        return {};
    }
    const double column = width() / static_cast<double>(m_values.size());
    return { index * column, 0, column, height() };
}

QRectF BarPlotItem::barOf(int index) const
{
    QRectF rect = columnOf(index);
    if (rect.isEmpty()) {
        return {};
    }
    // Whole pixels apart, where there are pixels to spare.
    const double gap = rect.width() >= 3 ? std::max(1.0, std::round(rect.width() * kGap)) : 0;
    rect.setRight(rect.right() - gap);
    const double value = std::isfinite(m_values[index]) ? m_values[index] : 0;
    const double zero = heightOf(0);
    double end = heightOf(value);
    if (value != 0 && std::abs(end - zero) < kLeastHeight) {
        // Towards its side, within the plot.
        end = value > 0 ? zero - kLeastHeight : zero + kLeastHeight;
    }
    rect.setTop(std::min(zero, end));
    rect.setBottom(std::max(zero, end));
    return rect;
}

int BarPlotItem::barAt(QPointF point) const
{
    if (m_values.isEmpty() || point.x() < 0 || point.x() >= width()) {
        return -1;
    }
    const auto count = static_cast<int>(m_values.size());
    return std::min(static_cast<int>(point.x() / width() * count), count - 1);
}

void BarPlotItem::draw(TriangleBatch& shapes, QList<MapLabel>& /*labels*/)
{
    const QColor pale = mixedColor(colors()->surface, colors()->accent, kPale);
    for (int i = 0; i < m_values.size(); ++i) {
        const bool isMarked = i == m_highlighted || i == m_selected || i == m_hovered
            || (i == m_cursor && hasVisualFocus());
        if (isMarked) { // by more than colour: a band behind
            shapes.addRect(columnOf(i), colors()->sunken);
        }
        if (!std::isfinite(m_values[i])) {
            shapes.addHatch(columnOf(i), 6, colors()->error);
            continue;
        }
        shapes.addRect(barOf(i), isMarked ? colors()->accent : pale);
    }
    const double zero = std::clamp(heightOf(0), 0.0, height() - 1);
    shapes.addRect(0, zero, width(), zero + 1, colors()->line);
    if (m_cursor >= 0 && hasVisualFocus()) {
        shapes.addFrame(columnOf(m_cursor), 1, colors()->accent);
    }
}

void BarPlotItem::hoverAt(QPointF point)
{
    const int index = barAt(point);
    if (index != m_hovered) {
        m_hovered = index;
        update();
        Q_EMIT hovered(index);
    }
}

void BarPlotItem::hoverNowhere()
{
    if (m_hovered >= 0) {
        m_hovered = -1;
        update();
        Q_EMIT hovered(-1);
    }
}

void BarPlotItem::pick(int index)
{
    if (index >= 0) {
        m_cursor = index;
        update();
        Q_EMIT picked(index);
    }
}

void BarPlotItem::pickAt(QPointF point)
{
    pick(barAt(point));
}

void BarPlotItem::moveCursor(Step step)
{
    const auto last = static_cast<int>(m_values.size()) - 1;
    if (last < 0) {
        return;
    }
    const int from = m_cursor >= 0 ? m_cursor : m_selected;
    switch (step) {
    case Step::Left:
    case Step::Up:
        m_cursor = from < 0 ? last : std::max(from - 1, 0);
        break;
    case Step::Right:
    case Step::Down:
        m_cursor = std::min(from + 1, last);
        break;
    case Step::First:
        m_cursor = 0;
        break;
    case Step::Last:
        m_cursor = last;
        break;
    }
    update();
    Q_EMIT hovered(m_cursor);
    say(tr("%1: %2").arg(QLocale().toString(m_cursor),
                         QLocale().toString(m_values[m_cursor], 'g', 6)));
}

void BarPlotItem::pickCursor()
{
    pick(m_cursor);
}
