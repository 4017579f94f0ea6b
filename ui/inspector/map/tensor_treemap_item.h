// The tensors of a file as a treemap: area by size, together by layer, coloured by type or bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/inspected_file.h"
#include "ui/inspector/map/treemap_layout.h"
#include "ui/inspector/map/zoomable_item.h"

/// Same selection and signals as the file map, byte ranges being those of tensors.
/// TensorTreemap.qml gives it colours, a focus ring and its name.
class TensorTreemapItem : public ZoomableItem
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(InspectedFile file READ file WRITE setFile NOTIFY fileChanged)
    Q_PROPERTY(Coloring coloring READ coloring WRITE setColoring NOTIFY coloringChanged)
    /// The tensor whose data holds this byte is framed, and brought into view when it changes.
    Q_PROPERTY(
        qreal selectedOffset READ selectedOffset WRITE setSelectedOffset NOTIFY selectionChanged)

public:
    enum Coloring { ByType, ByBits };
    Q_ENUM(Coloring)

    using ZoomableItem::ZoomableItem;

    [[nodiscard]] InspectedFile file() const { return m_file; }
    void setFile(const InspectedFile& file);
    [[nodiscard]] Coloring coloring() const { return m_coloring; }
    void setColoring(Coloring coloring);
    [[nodiscard]] qreal selectedOffset() const { return m_selectedOffset; }
    void setSelectedOffset(qreal offset);
    /// Where a tensor is drawn, in the item's coordinates; empty without a tile.
    Q_INVOKABLE QRectF rectOf(int tensorIndex) const;

Q_SIGNALS:
    void fileChanged();
    void coloringChanged();
    void selectionChanged();
    /// Click or Enter.
    void picked(qreal offset, qreal size, int tensorIndex);
    /// The tensor under the pointer (or the keyboard's cursor); offset −1 when there is none any
    /// more.
    void hovered(qreal offset, qreal size, const QString& name, int tensorIndex);

protected:
    void resized() override;
    void limitZoom(QPointF point) override;
    void hoverAt(QPointF point) override;
    void hoverNowhere() override;
    void pickAt(QPointF point) override;
    void openAt(QPointF point) override;
    void moveCursor(Step step) override;
    void pickCursor() override;
    void colorsTaken() override;
    void draw(TriangleBatch& shapes, QList<MapLabel>& labels) override;

private:
    void rebuild();
    void findSelected();
    void emitHovered(std::size_t tile);
    void pick(std::size_t tile);
    [[nodiscard]] std::optional<std::size_t> tileAt(QPointF point) const;
    [[nodiscard]] QString nameOf(const TreemapTile& tile) const;
    [[nodiscard]] QString typeOf(const TreemapTile& tile) const;
    [[nodiscard]] QRectF onScreen(const QRectF& rect) const;
    void drawGroup(const TreemapGroup& group, TriangleBatch& shapes, QList<MapLabel>& labels) const;
    void labelTile(std::size_t tile, const QRectF& rect, const QColor& ground,
                   QList<MapLabel>& labels) const;
    void labelGroup(const TreemapGroup& group, QList<MapLabel>& labels) const;

    InspectedFile m_file;
    TreemapLayout m_layout;
    std::vector<QColor> m_tileColors;
    Coloring m_coloring = ByType;
    qreal m_selectedOffset = -1;
    std::optional<std::size_t> m_selected;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_cursor;
};
