// What of a strip is drawn at a zoom: its sections as bars, those below a pixel merged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/map/strip_layout.h"
#include "ui/inspector/map/view_transform.h"

#include <vector>

/// One bar: a section, or neighbours that share one column of pixels.
struct StripBar
{
    double left = 0; ///< in pixels, not clipped to the viewport
    double right = 0;
    std::size_t first = 0; ///< sections, both included
    std::size_t last = 0;

    [[nodiscard]] bool isMerged() const { return last > first; }
};

/// The bars that cover the viewport, from left to right: each begins where the one before ends, and
/// together they hold every section in view. `column`: pixels of the item that one pixel of the
/// screen takes.
[[nodiscard]] std::vector<StripBar> stripBars(const StripLayout& layout, const ViewTransform& view,
                                              double column = 1);
