// Coloured rectangles, frames and hatches, gathered into one scene-graph node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QRectF>
#include <QtGui/QColor>
#include <QtQuick/QSGGeometry>
#include <QtQuick/QSGGeometryNode>

#include <vector>

/// Filled by an item in updatePaintNode, in pixels of the item. What lies outside of `clip` is cut
/// off. Edges are put on whole pixels of the screen, so that neighbours never leave a seam.
class TriangleBatch
{
public:
    /// `pixelRatio`: pixels of the screen in one of the item.
    TriangleBatch(const QRectF& clip, double pixelRatio);

    void setClip(const QRectF& clip) { m_clip = clip; }
    void addRect(double left, double top, double right, double bottom, const QColor& color);
    void addRect(const QRectF& rect, const QColor& color);
    /// The edge of a rectangle, inside of it.
    void addFrame(const QRectF& rect, double width, const QColor& color);
    /// Diagonal lines `period` pixels apart that move with the rectangle.
    void addHatch(const QRectF& rect, double period, const QColor& color);
    /// Three corners, clockwise or not; not clipped.
    void addTriangle(QPointF first, QPointF second, QPointF third, const QColor& color);

    /// Puts all into the node (a new one for null), which QSG then owns.
    [[nodiscard]] QSGGeometryNode* toNode(QSGGeometryNode* node) const;
    [[nodiscard]] std::size_t vertexCount() const { return m_vertices.size(); }

private:
    struct Ink
    {
        uchar red;
        uchar green;
        uchar blue;
        uchar alpha;
    };
    [[nodiscard]] static Ink inkOf(const QColor& color); // premultiplied
    void addVertex(double x, double y, Ink ink);
    void addQuad(double left, double top, double right, double bottom, Ink ink);

    QRectF m_clip;
    double m_pixelRatio;
    std::vector<QSGGeometry::ColoredPoint2D> m_vertices;
};
