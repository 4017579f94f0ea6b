// Zoom and pan over a plane.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/view_transform.h"

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

namespace {

constexpr double kAlmost = 1 + 1e-9; // what rounding adds to a fitted scale

} // namespace

void ViewTransform::setPlane(glm::dvec2 plane)
{
    const bool wasFitted = isFitted();
    m_plane = glm::max(plane, glm::dvec2(1e-9));
    if (wasFitted) {
        fit();
    }
    keepInside();
}

void ViewTransform::setViewport(glm::dvec2 viewport)
{
    const bool wasFitted = isFitted();
    const glm::dvec2 before = m_viewport;
    m_viewport = glm::max(viewport, glm::dvec2(1));
    if (wasFitted) {
        fit();
        return;
    }
    m_scale *= m_viewport / before; // the same part stays in view
    keepInside();
}

void ViewTransform::setLargestScale(glm::dvec2 scale)
{
    m_largest = scale;
    keepInside();
}

glm::dvec2 ViewTransform::toScreen(glm::dvec2 point) const
{
    return (point - m_origin) * m_scale;
}

glm::dvec2 ViewTransform::toPlane(glm::dvec2 pixel) const
{
    return m_origin + pixel / m_scale;
}

bool ViewTransform::isFitted() const
{
    return glm::all(glm::lessThanEqual(m_scale, fittedScale() * kAlmost));
}

void ViewTransform::fit()
{
    m_scale = fittedScale();
    m_origin = { 0, 0 };
}

void ViewTransform::zoomAt(glm::dvec2 pixel, double factor)
{
    const glm::dvec2 fixed = toPlane(pixel);
    const glm::dvec2 fitted = fittedScale();
    m_scale = glm::clamp(m_scale * factor, fitted, glm::max(fitted, m_largest));
    m_origin = fixed - pixel / m_scale;
    keepInside();
}

void ViewTransform::panBy(glm::dvec2 pixels)
{
    m_origin -= pixels / m_scale;
    keepInside();
}

void ViewTransform::show(glm::dvec2 low, glm::dvec2 high, double share)
{
    const glm::dvec2 size = glm::max(high - low, glm::dvec2(1e-12));
    const glm::dvec2 fitted = fittedScale();
    m_scale = glm::clamp(m_viewport * share / size, fitted, glm::max(fitted, m_largest));
    m_origin = (low + high) * 0.5 - m_viewport * 0.5 / m_scale;
    keepInside();
}

void ViewTransform::reveal(glm::dvec2 low, glm::dvec2 high)
{
    const glm::dvec2 room = m_viewport / m_scale;
    m_origin = glm::max(m_origin, high - room);
    m_origin = glm::min(m_origin, low);
    keepInside();
}

glm::dvec2 ViewTransform::fittedScale() const
{
    return m_viewport / m_plane;
}

void ViewTransform::keepInside()
{
    const glm::dvec2 fitted = fittedScale();
    m_scale = glm::clamp(m_scale, fitted, glm::max(fitted, m_largest));
    const glm::dvec2 room = m_viewport / m_scale;
    m_origin = glm::clamp(m_origin, glm::dvec2(0), glm::max(m_plane - room, glm::dvec2(0)));
}
