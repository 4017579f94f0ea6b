// Vertices of coloured shapes.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/triangle_batch.h"

#include <QtQuick/QSGVertexColorMaterial>

#include <algorithm>
#include <array>
#include <cmath>

TriangleBatch::TriangleBatch(const QRectF& clip, double pixelRatio)
    : m_clip(clip)
    , m_pixelRatio(pixelRatio)
{
}

TriangleBatch::Ink TriangleBatch::inkOf(const QColor& color)
{
    const float alpha = static_cast<float>(color.alphaF());
    const auto part = [alpha](float value) {
        return static_cast<uchar>(std::lround(value * alpha * 255));
    };
    return { part(static_cast<float>(color.redF())), part(static_cast<float>(color.greenF())),
             part(static_cast<float>(color.blueF())),
             static_cast<uchar>(std::lround(alpha * 255)) };
}

void TriangleBatch::addVertex(double x, double y, Ink ink)
{
    QSGGeometry::ColoredPoint2D vertex {};
    vertex.set(static_cast<float>(x), static_cast<float>(y), ink.red, ink.green, ink.blue,
               ink.alpha);
    m_vertices.push_back(vertex);
}

void TriangleBatch::addQuad(double left, double top, double right, double bottom, Ink ink)
{
    addVertex(left, top, ink);
    addVertex(right, top, ink);
    addVertex(left, bottom, ink);
    addVertex(left, bottom, ink);
    addVertex(right, top, ink);
    addVertex(right, bottom, ink);
}

void TriangleBatch::addRect(double left, double top, double right, double bottom,
                            const QColor& color)
{
    const auto onPixel = [this](double place) {
        return std::round(place * m_pixelRatio) / m_pixelRatio;
    };
    left = onPixel(std::max(left, m_clip.left()));
    top = onPixel(std::max(top, m_clip.top()));
    right = onPixel(std::min(right, m_clip.right()));
    bottom = onPixel(std::min(bottom, m_clip.bottom()));
    if (left < right && top < bottom) {
        addQuad(left, top, right, bottom, inkOf(color));
    }
}

void TriangleBatch::addRect(const QRectF& rect, const QColor& color)
{
    addRect(rect.left(), rect.top(), rect.right(), rect.bottom(), color);
}

void TriangleBatch::addFrame(const QRectF& rect, double width, const QColor& color)
{
    const double thin = std::min({ width, rect.width() / 2, rect.height() / 2 });
    addRect(rect.left(), rect.top(), rect.right(), rect.top() + thin, color);
    addRect(rect.left(), rect.bottom() - thin, rect.right(), rect.bottom(), color);
    addRect(rect.left(), rect.top() + thin, rect.left() + thin, rect.bottom() - thin, color);
    addRect(rect.right() - thin, rect.top() + thin, rect.right(), rect.bottom() - thin, color);
}

void TriangleBatch::addHatch(const QRectF& rect, double period, const QColor& color)
{
    const QRectF shown = rect & m_clip;
    if (shown.isEmpty()) {
        return;
    }
    const Ink ink = inkOf(color);
    const double thick = period / 4;
    const double height = shown.height();
    // Lines rise to the right; each is a parallelogram, cut off at the left and the right edge.
    double foot = rect.left() + std::floor((shown.left() - height - rect.left()) / period) * period;
    for (; foot < shown.right(); foot += period) {
        const auto sideAt = [&](double x) { return std::clamp(x, shown.left(), shown.right()); };
        // Corners in order; where an edge cuts, the height there follows from the slope of one.
        const auto heightAt = [&](double x, double from) {
            return shown.bottom() - std::clamp(x - from, 0.0, height);
        };
        const std::array<double, 4> xs { sideAt(foot), sideAt(foot + thick), sideAt(foot + height),
                                         sideAt(foot + thick + height) };
        std::array<double, 4> sorted = xs;
        std::ranges::sort(sorted);
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
            const double left = sorted[i];
            const double right = sorted[i + 1];
            if (right <= left) {
                continue;
            }
            // Between two corners: the upper line leaves from `foot`, the lower from foot + thick.
            addVertex(left, heightAt(left, foot), ink);
            addVertex(right, heightAt(right, foot), ink);
            addVertex(left, heightAt(left, foot + thick), ink);
            addVertex(left, heightAt(left, foot + thick), ink);
            addVertex(right, heightAt(right, foot), ink);
            addVertex(right, heightAt(right, foot + thick), ink);
        }
    }
}

void TriangleBatch::addTriangle(QPointF first, QPointF second, QPointF third, const QColor& color)
{
    const Ink ink = inkOf(color);
    for (const QPointF& corner : { first, second, third }) {
        addVertex(corner.x(), corner.y(), ink);
    }
}

QSGGeometryNode* TriangleBatch::toNode(QSGGeometryNode* node) const
{
    if (node == nullptr) {
        node = new QSGGeometryNode;
        auto* geometry = new QSGGeometry(QSGGeometry::defaultAttributes_ColoredPoint2D(), 0, 0);
        geometry->setDrawingMode(QSGGeometry::DrawTriangles);
        geometry->setVertexDataPattern(QSGGeometry::DynamicPattern);
        node->setGeometry(geometry);
        node->setMaterial(new QSGVertexColorMaterial);
        node->setFlags(QSGNode::OwnsGeometry | QSGNode::OwnsMaterial | QSGNode::OwnedByParent);
    }
    node->geometry()->allocate(static_cast<int>(m_vertices.size()));
    std::ranges::copy(m_vertices, node->geometry()->vertexDataAsColoredPoint2D());
    node->markDirty(QSGNode::DirtyGeometry);
    return node;
}
