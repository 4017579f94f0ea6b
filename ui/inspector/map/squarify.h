// Divides a rectangle by sizes into parts that are as square as may be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QRectF>

#include <span>
#include <vector>

/// A squarified treemap (Bruls, Huizing and van Wijk 2000): one rectangle a size, in the same
/// order, with areas in proportion; together they cover `area` exactly and none overlaps another.
/// Sizes in falling order give the best shapes. A size of 0 gets an empty rectangle. All empty
/// where the sum or the area is 0.
[[nodiscard]] std::vector<QRectF> squarify(std::span<const double> sizes, const QRectF& area);
