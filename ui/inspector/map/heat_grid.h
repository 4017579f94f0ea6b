// A grid of numbers over a part of a tensor, as the heat map takes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QMetaType>
#include <QtCore/QRectF>
#include <QtQml/qqmlregistration.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

/// Cells of equal size, row by row; NaN for a number that is none. Shared and immutable.
struct HeatGrid
{
    Q_GADGET
    QML_VALUE_TYPE(heatGrid)

public:
    QRectF area; ///< columns (x) and rows (y) of the tensor that it covers
    int width = 0; ///< cells in a row
    int height = 0;
    std::shared_ptr<const std::vector<float>> cells;

    bool operator==(const HeatGrid&) const = default;

    [[nodiscard]] bool isEmpty() const
    {
        return !cells || width <= 0 || height <= 0 || area.isEmpty()
            || cells->size() < static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
    /// Columns and rows of the tensor in a cell: 1 × 1 where each number has its own.
    [[nodiscard]] QSizeF cellSize() const
    {
        return { area.width() / width, area.height() / height };
    }
    [[nodiscard]] bool isExact() const
    {
        return cellSize().width() <= 1 && cellSize().height() <= 1;
    }
    [[nodiscard]] float at(int x, int y) const
    {
        return (*cells)[static_cast<std::size_t>(y) * static_cast<std::size_t>(width)
                        + static_cast<std::size_t>(x)];
    }
    /// The cell over a column and row of the tensor; nothing outside.
    [[nodiscard]] std::optional<float> over(double column, double row) const
    {
        if (isEmpty() || column < area.left() || column >= area.right() || row < area.top()
            || row >= area.bottom()) {
            return {};
        }
        const QSizeF size = cellSize();
        return at(std::min(static_cast<int>((column - area.left()) / size.width()), width - 1),
                  std::min(static_cast<int>((row - area.top()) / size.height()), height - 1));
    }
};

/// The range of colours that suits these numbers: all but the most extreme few. Around zero where
/// `isSigned`. Empty (0, 0) without a number.
struct HeatRange
{
    double low = 0;
    double high = 0;

    bool operator==(const HeatRange&) const = default;
};
[[nodiscard]] HeatRange suitedRange(const HeatGrid& grid, bool isSigned);
