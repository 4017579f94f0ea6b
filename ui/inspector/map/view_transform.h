// Which part of a plane an item shows: zoom and pan in double precision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <glm/vec2.hpp>

/// Maps a plane from (0, 0) to `plane` (bytes, cells, tiles) onto a viewport in pixels: screen =
/// (plane − origin) × scale, each axis for itself. Never shows anything outside of the plane, and
/// is never smaller than the viewport. Doubles keep single bytes apart at 500 GB; graphics cards'
/// floats would not, so that items lay out in pixels with this and hand those on.
class ViewTransform
{
public:
    /// Keeps the shown part where that still exists, or stays fitted.
    void setPlane(glm::dvec2 plane);
    void setViewport(glm::dvec2 viewport);
    /// Pixels a unit, at most. An axis whose fitted scale is above that does not zoom.
    void setLargestScale(glm::dvec2 scale);

    [[nodiscard]] glm::dvec2 plane() const { return m_plane; }
    [[nodiscard]] glm::dvec2 viewport() const { return m_viewport; }
    [[nodiscard]] glm::dvec2 scale() const { return m_scale; }
    /// The plane's point at the viewport's top left.
    [[nodiscard]] glm::dvec2 origin() const { return m_origin; }
    [[nodiscard]] glm::dvec2 toScreen(glm::dvec2 point) const;
    [[nodiscard]] glm::dvec2 toPlane(glm::dvec2 pixel) const;
    /// True when the whole plane is in view.
    [[nodiscard]] bool isFitted() const;

    void fit();
    /// The plane's point under `pixel` stays there, as far as the edges allow.
    void zoomAt(glm::dvec2 pixel, double factor);
    void panBy(glm::dvec2 pixels);
    /// Zooms so that this rectangle of the plane takes `share` of the viewport, in its middle.
    void show(glm::dvec2 low, glm::dvec2 high, double share);
    /// Pans as little as brings the rectangle into view; its beginning, where it is larger.
    void reveal(glm::dvec2 low, glm::dvec2 high);

private:
    [[nodiscard]] glm::dvec2 fittedScale() const;
    void keepInside();

    glm::dvec2 m_plane { 1, 1 };
    glm::dvec2 m_viewport { 1, 1 };
    glm::dvec2 m_largest { 1e12, 1e12 };
    glm::dvec2 m_origin { 0, 0 };
    glm::dvec2 m_scale { 1, 1 };
};
