// Paints labels of a map.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/label_layer.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtQuick/QQuickWindow>
#include <QtQuick/QSGSimpleTextureNode>

#include <cmath>

namespace {

constexpr double kPlateMargin = 4;
constexpr double kPlateRadius = 3;

} // namespace

QSGSimpleTextureNode* LabelLayer::update(QSGSimpleTextureNode* node, QQuickWindow* window,
                                         const QRectF& clip, const QFont& font,
                                         const QList<MapLabel>& labels)
{
    // As small as the labels allow: a software renderer blends every pixel of it.
    QRectF area;
    for (const MapLabel& label : labels) {
        area |= label.rect.adjusted(-kPlateMargin, 0, kPlateMargin, 0);
    }
    area = (area & clip).toAlignedRect();
    if (area.isEmpty()) {
        delete node;
        m_labels.clear();
        return nullptr;
    }
    const double pixelRatio = window->effectiveDevicePixelRatio();
    if (node != nullptr && area == m_area && pixelRatio == m_pixelRatio && font == m_font
        && labels == m_labels) {
        return node;
    }
    m_area = area;
    m_pixelRatio = pixelRatio;
    m_font = font;
    m_labels = labels;
    if (node == nullptr) {
        node = new QSGSimpleTextureNode;
        node->setOwnsTexture(true);
        node->setFlag(QSGNode::OwnedByParent);
    }
    const QImage image = paint(area, pixelRatio);
    node->setTexture(window->createTextureFromImage(image, QQuickWindow::TextureHasAlphaChannel));
    node->setRect(QRectF(area.topLeft(), QSizeF(image.size()) / pixelRatio));
    return node;
}

QImage LabelLayer::paint(const QRectF& area, double pixelRatio) const
{
    QImage image(static_cast<int>(std::ceil(area.width() * pixelRatio)),
                 static_cast<int>(std::ceil(area.height() * pixelRatio)),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(m_font);
    painter.translate(-area.topLeft());
    const QFontMetricsF metrics(m_font);
    for (const MapLabel& label : m_labels) {
        const double width = metrics.horizontalAdvance(label.text);
        const QString text = width <= label.rect.width()
            ? label.text
            : metrics.elidedText(label.text, Qt::ElideMiddle, label.rect.width());
        if (label.ground.isValid()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(label.ground);
            painter.drawRoundedRect(
                QRectF(label.rect.topLeft(),
                       QSizeF(std::min(width, label.rect.width()), label.rect.height()))
                    .adjusted(-kPlateMargin, 0, kPlateMargin, 0),
                kPlateRadius, kPlateRadius);
        }
        painter.setPen(label.ink);
        painter.drawText(label.rect, static_cast<int>(label.alignment) | Qt::TextSingleLine, text);
    }
    return image;
}
