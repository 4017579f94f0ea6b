// Squarified treemaps.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/squarify.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

/// The worst ratio of sides among parts of a row along a side.
double worstRatio(double side, double sum, double least, double most)
{
    const double thickness = sum / side;
    return std::max(most / (thickness * thickness), (thickness * thickness) / least);
}

/// Lays the row along the shorter side of `rest`, and cuts it off there. `isLast`: it takes all
/// that is left, so that rounding leaves no crack.
void layRow(std::span<const double> row, double sum, bool isLast, QRectF& rest,
            std::vector<QRectF>& rects)
{
    const bool isColumn = rest.width() >= rest.height();
    const double side = isColumn ? rest.height() : rest.width();
    const double whole = isColumn ? rest.width() : rest.height();
    const double thickness = isLast ? whole : std::min(sum / side, whole);
    double before = 0;
    double passed = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        passed += row[i];
        const double after = i + 1 == row.size() ? side : side * (passed / sum);
        rects.push_back(isColumn ? QRectF(QPointF(rest.left(), rest.top() + before),
                                          QPointF(rest.left() + thickness, rest.top() + after))
                                 : QRectF(QPointF(rest.left() + before, rest.top()),
                                          QPointF(rest.left() + after, rest.top() + thickness)));
        before = after;
    }
    isColumn ? rest.setLeft(rest.left() + thickness) : rest.setTop(rest.top() + thickness);
}

} // namespace

std::vector<QRectF> squarify(std::span<const double> sizes, const QRectF& area)
{
    const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    if (!(sum > 0) || area.isEmpty()) {
        return std::vector<QRectF>(sizes.size());
    }
    const double unit = area.width() * area.height() / sum;
    std::vector<double> areas;
    std::vector<std::size_t> places; // of those that are not empty
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] > 0) {
            areas.push_back(sizes[i] * unit);
            places.push_back(i);
        }
    }
    QRectF rest = area;
    std::vector<QRectF> laid;
    laid.reserve(areas.size());
    for (std::size_t begin = 0; begin < areas.size();) {
        const double side =
            std::max(std::min(rest.width(), rest.height()), std::numeric_limits<double>::min());
        double total = areas[begin];
        double least = total;
        double most = total;
        double ratio = worstRatio(side, total, least, most);
        std::size_t end = begin + 1;
        for (; end < areas.size(); ++end) {
            const double next = worstRatio(side, total + areas[end], std::min(least, areas[end]),
                                           std::max(most, areas[end]));
            if (next > ratio) {
                break;
            }
            ratio = next;
            total += areas[end];
            least = std::min(least, areas[end]);
            most = std::max(most, areas[end]);
        }
        layRow(std::span(areas).subspan(begin, end - begin), total, end == areas.size(), rest,
               laid);
        begin = end;
    }
    std::vector<QRectF> rects(sizes.size());
    for (std::size_t i = 0; i < laid.size(); ++i) {
        rects[places[i]] = laid[i];
    }
    return rects;
}
