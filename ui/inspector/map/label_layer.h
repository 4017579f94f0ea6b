// Short texts over a map, painted into one texture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QRectF>
#include <QtCore/QString>
#include <QtGui/QColor>
#include <QtGui/QFont>

class QQuickWindow;
class QSGNode;
class QSGSimpleTextureNode;

struct MapLabel
{
    QRectF rect; ///< the text stays inside of it, cut with an ellipsis where it must
    QString text;
    QColor ink;
    QColor ground; ///< of a plate behind the text; none where invalid
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;

    bool operator==(const MapLabel&) const = default;
};

/// Paints only where labels, size or font changed since the last time. Used in updatePaintNode.
class LabelLayer
{
public:
    /// The node for these labels: `node` with a new texture, a new one, or null where there is
    /// none to show (the old one is deleted then). Nothing is painted outside of `clip`.
    [[nodiscard]] QSGSimpleTextureNode* update(QSGSimpleTextureNode* node, QQuickWindow* window,
                                               const QRectF& clip, const QFont& font,
                                               const QList<MapLabel>& labels);

private:
    [[nodiscard]] QImage paint(const QRectF& area, double pixelRatio) const;

    QRectF m_area;
    double m_pixelRatio = 0;
    QFont m_font;
    QList<MapLabel> m_labels;
};
