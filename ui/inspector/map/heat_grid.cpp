// The range of a heat map's colours.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/heat_grid.h"

#include <cmath>

namespace {

constexpr double kExtremes = 0.002; // of the numbers, at either end: they would make all else pale
constexpr std::size_t kSample = 1U << 16U;

} // namespace

HeatRange suitedRange(const HeatGrid& grid, bool isSigned)
{
    if (grid.isEmpty()) {
        return {};
    }
    const std::size_t count =
        static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height);
    // An odd step, so that it does not always meet the same columns.
    const std::size_t step = count <= kSample ? 1 : (count / kSample) | 1U;
    std::vector<float> sample;
    for (std::size_t i = 0; i < count; i += step) {
        const float value = (*grid.cells)[i];
        if (std::isfinite(value)) {
            sample.push_back(isSigned ? std::abs(value) : value);
        }
    }
    if (sample.empty()) {
        return {};
    }
    const auto quantile = [&sample](double share) {
        const auto place = static_cast<std::ptrdiff_t>(
            std::lround(share * static_cast<double>(sample.size() - 1)));
        std::nth_element(sample.begin(), sample.begin() + place, sample.end());
        return static_cast<double>(sample[static_cast<std::size_t>(place)]);
    };
    const double high = quantile(1 - kExtremes);
    return isSigned ? HeatRange { -high, high } : HeatRange { quantile(kExtremes), high };
}
