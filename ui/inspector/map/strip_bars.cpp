// Level of detail of the strip.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/strip_bars.h"

#include <cmath>

std::vector<StripBar> stripBars(const StripLayout& layout, const ViewTransform& view, double column)
{
    std::vector<StripBar> bars;
    const auto sections = layout.sections();
    const auto begin = layout.sectionAt(view.toPlane({ 0, 0 }).x);
    if (!begin) {
        return bars;
    }
    const auto pixel = [&](double position) { return view.toScreen({ position, 0 }).x; };
    const double width = view.viewport().x;
    double merging = -1; // the column that the last bar does not leave
    for (std::size_t i = *begin; i < sections.size(); ++i) {
        const double left = pixel(sections[i].start);
        const double right = pixel(sections[i].end());
        if (left >= width) {
            break;
        }
        const double firstColumn = std::floor(left / column);
        const bool isSmall = std::ceil(right / column) - firstColumn <= 1;
        if (isSmall && merging == firstColumn) {
            bars.back().right = right;
            bars.back().last = i;
            continue;
        }
        bars.push_back({ .left = left, .right = right, .first = i, .last = i });
        merging = isSmall ? firstColumn : -1;
    }
    return bars;
}
