// How the treemap looks.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/tensor_treemap_item.h"

#include <QtGui/QFontMetricsF>

#include <algorithm>

namespace {

constexpr double kMargin = 4; // of a label in its tile
constexpr double kLeastName = 44; // width of a tile that has room for a name
constexpr double kApart = 3; // sides from which tiles have a line between
constexpr double kGroupEdge = 2;
constexpr double kHovered = 0.25; // of the surface, under the pointer

} // namespace

QString TensorTreemapItem::nameOf(const TreemapTile& tile) const
{
    const std::string_view name = m_layout.tensor(tile).name;
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString TensorTreemapItem::typeOf(const TreemapTile& tile) const
{
    const auto* info = m_layout.tensor(tile).typeInfo();
    return info == nullptr
        ? QString()
        : QString::fromLatin1(info->name.data(), static_cast<qsizetype>(info->name.size()));
}

void TensorTreemapItem::draw(TriangleBatch& shapes, QList<MapLabel>& labels)
{
    const QRectF all = boundingRect();
    if (m_tileColors.empty()) {
        shapes.addRect(all, colors()->sunken);
        return;
    }
    for (const TreemapGroup& group : m_layout.groups()) {
        if (onScreen(group.rect).intersects(all)) {
            drawGroup(group, shapes, labels);
        }
    }
    const auto frame = [&](std::size_t tile, const QColor& color) {
        constexpr double kLeast = 8;
        QRectF rect = onScreen(m_layout.tiles()[tile].rect);
        const double wider = std::max(0.0, kLeast - rect.width()) / 2;
        const double higher = std::max(0.0, kLeast - rect.height()) / 2;
        rect.adjust(-wider, -higher, wider, higher);
        shapes.addFrame(rect, 2, color);
        shapes.addFrame(rect.adjusted(2, 2, -2, -2), 1, colors()->surface);
    };
    if (m_selected) {
        frame(*m_selected, colors()->text);
    }
    if (m_cursor && hasVisualFocus()) {
        frame(*m_cursor, colors()->accent);
    }
}

void TensorTreemapItem::drawGroup(const TreemapGroup& group, TriangleBatch& shapes,
                                  QList<MapLabel>& labels) const
{
    const QRectF all = boundingRect();
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const QRectF rect = onScreen(m_layout.tiles()[i].rect);
        if (!rect.intersects(all)) {
            continue;
        }
        const QColor color = m_hovered == i
            ? mixedColor(m_tileColors[i], colors()->surface, kHovered)
            : m_tileColors[i];
        shapes.addRect(rect, color);
        if (rect.width() < kApart || rect.height() < kApart) {
            continue;
        }
        shapes.addRect(rect.right() - 1, rect.top(), rect.right(), rect.bottom(),
                       colors()->surface);
        shapes.addRect(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom(),
                       colors()->surface);
        labelTile(i, rect, color, labels);
    }
    const QRectF edge = onScreen(group.rect);
    if (edge.width() > 4 * kGroupEdge && edge.height() > 4 * kGroupEdge) {
        shapes.addFrame(
            edge.adjusted(-kGroupEdge / 2, -kGroupEdge / 2, kGroupEdge / 2, kGroupEdge / 2),
            kGroupEdge, colors()->surface);
    }
    labelGroup(group, labels);
}

// At the foot of a tile, for the layer's name is at its head: what of the name comes after the
// layer, and the type above where there is room.
void TensorTreemapItem::labelTile(std::size_t tile, const QRectF& rect, const QColor& ground,
                                  QList<MapLabel>& labels) const
{
    const QRectF shown = (rect & boundingRect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double line = QFontMetricsF(labelFont()).height();
    if (shown.width() < kLeastName || shown.height() < 2 * line) {
        return;
    }
    const QColor ink = inkOn(ground);
    const TreemapTile& one = m_layout.tiles()[tile];
    const std::string_view layer = layerOf(m_layout.tensor(one).name);
    const QString name =
        nameOf(one).mid(layer.empty() ? 0 : static_cast<qsizetype>(layer.size()) + 1);
    labels.push_back(
        { { shown.left(), shown.bottom() - line, shown.width(), line }, name, ink, {} });
    if (shown.height() >= 3 * line) {
        labels.push_back({ { shown.left(), shown.bottom() - 2 * line, shown.width(), line },
                           typeOf(one),
                           ink,
                           {} });
    }
}

void TensorTreemapItem::labelGroup(const TreemapGroup& group, QList<MapLabel>& labels) const
{
    const QFontMetricsF metrics(labelFont());
    const QString name = group.name.empty()
        ? tr("outside of layers")
        : QString::fromUtf8(group.name.data(), static_cast<qsizetype>(group.name.size()));
    const QRectF shown = onScreen(group.rect) & boundingRect();
    constexpr double kInset = 8;
    if (shown.width() >= metrics.horizontalAdvance(name) + 2 * kInset
        && shown.height() >= metrics.height() + 2 * kMargin) {
        labels.push_back({ { shown.left() + kInset, shown.top() + kMargin,
                             shown.width() - 2 * kInset, metrics.height() },
                           name,
                           colors()->text,
                           colors()->surface });
    }
}
