// Numbers as bars around zero: the weights of a block, or the counts of a histogram.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/map/zoomable_item.h"

/// All bars in the width there is, scaled to the largest. Does not zoom. BarPlot.qml gives it
/// colours, a focus ring and its name.
class BarPlotItem : public ZoomableItem
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<qreal> values READ values WRITE setValues NOTIFY valuesChanged)
    /// The bar that something else points at (its byte, its field); −1: none.
    Q_PROPERTY(int highlighted READ highlighted WRITE setHighlighted NOTIFY highlightedChanged)
    /// The bar that is selected; −1: none.
    Q_PROPERTY(int selected READ selected WRITE setSelected NOTIFY selectedChanged)
    /// The ends of the axis, always with zero between or at them.
    Q_PROPERTY(qreal low READ low NOTIFY valuesChanged)
    Q_PROPERTY(qreal high READ high NOTIFY valuesChanged)

public:
    using ZoomableItem::ZoomableItem;

    [[nodiscard]] QList<qreal> values() const { return m_values; }
    void setValues(const QList<qreal>& values);
    [[nodiscard]] int highlighted() const { return m_highlighted; }
    void setHighlighted(int index);
    [[nodiscard]] int selected() const { return m_selected; }
    void setSelected(int index);
    [[nodiscard]] qreal low() const { return m_low; }
    [[nodiscard]] qreal high() const { return m_high; }

    /// The column of a bar from top to bottom, or the bar alone, in the item's coordinates.
    Q_INVOKABLE QRectF columnOf(int index) const;
    Q_INVOKABLE QRectF barOf(int index) const;

Q_SIGNALS:
    void valuesChanged();
    void highlightedChanged();
    void selectedChanged();
    /// The bar under the pointer or the keyboard's cursor; −1 when there is none any more.
    void hovered(int index);
    /// Click or Enter.
    void picked(int index);

protected:
    [[nodiscard]] bool canZoom() const override { return false; }
    void hoverAt(QPointF point) override;
    void hoverNowhere() override;
    void pickAt(QPointF point) override;
    void openAt(QPointF /*point*/) override { }
    void moveCursor(Step step) override;
    void pickCursor() override;
    void draw(TriangleBatch& shapes, QList<MapLabel>& labels) override;

private:
    [[nodiscard]] int barAt(QPointF point) const;
    [[nodiscard]] double heightOf(double value) const;
    void pick(int index);

    QList<qreal> m_values;
    qreal m_low = 0;
    qreal m_high = 0;
    int m_highlighted = -1;
    int m_selected = -1;
    int m_hovered = -1;
    int m_cursor = -1;
};
