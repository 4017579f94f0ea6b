// How the heat map looks.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/heat_map_item.h"
#include "ui/inspector/map/heat_map_sizes.h"

#include <QtCore/QLocale>
#include <QtGui/QFontMetricsF>
#include <QtQuick/QQuickWindow>
#include <QtQuick/QSGSimpleTextureNode>

#include <algorithm>
#include <cmath>

namespace {

struct PictureNode : QSGSimpleTextureNode
{
    int slot = 0;
    int version = -1;
};

} // namespace

void HeatMapItem::updatePictures(QSGNode* group)
{
    place(group, m_whole, 0);
    place(group, m_part, 1);
}

// Only what is in view is drawn, for a card's floats would blur the edges of a picture that is
// millions of pixels wide.
void HeatMapItem::place(QSGNode* group, const Picture& picture, int slot)
{
    PictureNode* node = nullptr;
    for (QSGNode* child = group->firstChild(); child != nullptr; child = child->nextSibling()) {
        if (static_cast<PictureNode*>(child)->slot == slot) {
            node = static_cast<PictureNode*>(child);
        }
    }
    const QRectF shown = shownArea() & picture.grid.area;
    if (picture.image.isNull() || shown.isEmpty()) {
        delete node;
        return;
    }
    const bool isNew = node == nullptr;
    if (isNew) {
        node = new PictureNode;
        node->slot = slot;
        node->setOwnsTexture(true);
    }
    if (node->version != picture.version) {
        node->setTexture(
            window()->createTextureFromImage(picture.image, QQuickWindow::TextureIsOpaque));
        node->version = picture.version;
    }
    const QSizeF pixels = node->texture()->textureSize();
    const QRectF& area = picture.grid.area;
    const double across = pixels.width() / area.width();
    const double down = pixels.height() / area.height();
    node->setSourceRect({ (shown.left() - area.left()) * across, (shown.top() - area.top()) * down,
                          shown.width() * across, shown.height() * down });
    const glm::dvec2 low = view().toScreen({ shown.left(), shown.top() });
    const glm::dvec2 high = view().toScreen({ shown.right(), shown.bottom() });
    node->setRect({ QPointF(low.x, low.y), QPointF(high.x, high.y) });
    const bool isReduced = view().scale().x < across || view().scale().y < down;
    node->setFiltering(isReduced ? QSGTexture::Linear : QSGTexture::Nearest);
    if (isNew) {
        slot == 0 ? group->prependChildNode(node) : group->appendChildNode(node);
    }
}

void HeatMapItem::draw(TriangleBatch& shapes, QList<MapLabel>& labels)
{
    if (m_whole.image.isNull() && m_part.image.isNull()) {
        shapes.addRect(boundingRect(), colors()->sunken);
        return;
    }
    drawCells(shapes, labels);
    drawSelection(shapes);
}

void HeatMapItem::drawCells(TriangleBatch& shapes, QList<MapLabel>& labels) const
{
    const glm::dvec2 scale = view().scale();
    if (std::min(scale.x, scale.y) < heat_map::kLinesFrom) {
        return;
    }
    const QRectF area = shownArea();
    for (double row = std::floor(area.top()); row < area.bottom(); ++row) {
        for (double column = std::floor(area.left()); column < area.right(); ++column) {
            drawNumber(row, column, shapes, labels);
        }
        const double bottom = rectOf(row, 0).bottom();
        shapes.addRect(0, bottom - 1, width(), bottom, colors()->surface);
    }
    for (double column = std::floor(area.left()); column < area.right(); ++column) {
        const double right = rectOf(0, column).right();
        shapes.addRect(right - 1, 0, right, height(), colors()->surface);
    }
    if (m_hovered) {
        shapes.addFrame(rectOf(m_hovered->y(), m_hovered->x()), 1, colors()->text);
    }
}

// A hatch over what is no number, else the number with as many digits as there is room for.
void HeatMapItem::drawNumber(double row, double column, TriangleBatch& shapes,
                             QList<MapLabel>& labels) const
{
    const auto value = static_cast<double>(valueAt(column, row));
    const HeatGrid* grid = finest(column, row);
    if (grid == nullptr || !grid->isExact()) {
        return;
    }
    const QRectF rect = rectOf(row, column);
    if (std::isnan(value)) {
        shapes.addHatch(rect, heat_map::kLinesFrom, colors()->surface);
        return;
    }
    const QFontMetricsF metrics(labelFont());
    if (rect.width() < metrics.horizontalAdvance(heat_map::kWidestNumber)
        || rect.height() < metrics.height()) {
        return;
    }
    const double span = m_shown.high - m_shown.low;
    const double share = span > 0 ? (value - m_shown.low) / span : 0.5;
    for (int digits = 3; digits > 0; --digits) {
        const QString text = QLocale().toString(value, 'g', digits);
        if (metrics.horizontalAdvance(text) <= rect.width()) {
            labels.push_back(
                { rect, text, inkOn(QColor::fromRgb(m_colors.at(share))), {}, Qt::AlignCenter });
            return;
        }
    }
}

void HeatMapItem::drawSelection(TriangleBatch& shapes) const
{
    if (m_selectedRow < 0 || m_selectedColumn < 0 || m_selectedRow >= m_rows
        || m_selectedColumn >= m_columns) {
        return;
    }
    QRectF rect = rectOf(m_selectedRow, m_selectedColumn);
    const double wider = std::max(0.0, heat_map::kLeastFrame - rect.width()) / 2;
    const double higher = std::max(0.0, heat_map::kLeastFrame - rect.height()) / 2;
    rect.adjust(-wider, -higher, wider, higher);
    shapes.addFrame(rect.adjusted(-1, -1, 1, 1), 1, colors()->surface);
    shapes.addFrame(rect, 2, hasVisualFocus() ? colors()->accent : colors()->text);
    shapes.addFrame(rect.adjusted(2, 2, -2, -2), 1, colors()->surface);
}
