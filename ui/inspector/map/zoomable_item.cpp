// Drawing and state of the maps; what people do to them is in zoomable_events.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/zoomable_item.h"

#include <QtQuick/QQuickWindow>
#include <QtQuick/QSGSimpleTextureNode>

namespace {

/// From below to above: pictures, shapes, labels.
struct MapNode : QSGNode
{
    QSGNode pictures;
    QSGGeometryNode* shapes = nullptr;
    QSGSimpleTextureNode* labels = nullptr;

    MapNode()
    {
        pictures.setFlag(OwnedByParent, false);
        appendChildNode(&pictures);
    }
};

} // namespace

ZoomableItem::ZoomableItem(QQuickItem* parent)
    : QQuickItem(parent)
{
    setFlag(ItemHasContents);
    setAcceptedMouseButtons(Qt::LeftButton);
    setAcceptHoverEvents(true);
    setAcceptTouchEvents(true);
    setActiveFocusOnTab(true);
}

ZoomableItem::~ZoomableItem() = default;

void ZoomableItem::setColors(MapPalette* colors)
{
    if (colors == m_colors) {
        return;
    }
    if (m_colors) {
        disconnect(m_colors, nullptr, this, nullptr);
    }
    m_colors = colors;
    if (m_colors) {
        connect(m_colors, &MapPalette::changed, this, &ZoomableItem::takeColors);
    }
    takeColors();
    Q_EMIT colorsChanged();
}

void ZoomableItem::takeColors()
{
    colorsTaken();
    update();
}

void ZoomableItem::zoomBy(double factor)
{
    const glm::dvec2 middle = m_view.viewport() * 0.5;
    zoomAt({ middle.x, middle.y }, factor);
}

void ZoomableItem::fit()
{
    changeView([](ViewTransform& view) { view.fit(); });
}

double ZoomableItem::pixelRatio() const
{
    return window() == nullptr ? 1 : window()->effectiveDevicePixelRatio();
}

QFont ZoomableItem::labelFont() const
{
    QFont font;
    if (m_colors) {
        font.setFamily(m_colors->family);
        font.setPixelSize(m_colors->fontSize);
    }
    return font;
}

void ZoomableItem::setPlane(glm::dvec2 size)
{
    changeView([size](ViewTransform& view) { view.setPlane(size); });
}

void ZoomableItem::viewMoved()
{
    update();
    Q_EMIT viewChanged();
}

void ZoomableItem::say(const QString& spoken)
{
    if (spoken != m_spoken) {
        m_spoken = spoken;
        Q_EMIT spokenChanged();
    }
}

void ZoomableItem::geometryChange(const QRectF& now, const QRectF& before)
{
    QQuickItem::geometryChange(now, before);
    if (now.size() != before.size()) {
        resized();
        const QRectF area = plot();
        changeView([&](ViewTransform& view) { view.setViewport({ area.width(), area.height() }); });
    }
}

QSGNode* ZoomableItem::updatePaintNode(QSGNode* node, UpdatePaintNodeData* /*data*/)
{
    if (!m_colors || width() < 1 || height() < 1) {
        delete node;
        return nullptr;
    }
    auto* map = static_cast<MapNode*>(node);
    if (map == nullptr) {
        map = new MapNode;
    }
    updatePictures(&map->pictures);
    const QRectF all(0, 0, width(), height());
    TriangleBatch batch(all, pixelRatio());
    QList<MapLabel> labels;
    draw(batch, labels);
    const bool isNew = map->shapes == nullptr;
    map->shapes = batch.toNode(map->shapes);
    if (isNew) {
        map->appendChildNode(map->shapes);
    }
    map->labels = m_labels.update(map->labels, window(), all, labelFont(), labels);
    if (map->labels != nullptr && map->labels->parent() == nullptr) {
        map->appendChildNode(map->labels);
    }
    return map;
}
