// Sums and extremes of many floats, several at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace engine::eval {

/// In double. Neither finite floats nor the sum of as many as memory holds overflow it: the sum is
/// finite exactly where all of them are.
[[nodiscard]] double sumOf(std::span<const float> numbers);
/// Σ (number − centre)², in double.
[[nodiscard]] double squaresAround(std::span<const float> numbers, double centre);
/// The largest magnitude as the bits of a float, 0 without numbers: those of an infinity or of a
/// NaN lie above those of all finite numbers.
[[nodiscard]] std::int32_t largestMagnitude(std::span<const float> numbers);

struct Range
{
    float low;
    float high;
};

/// Of finite numbers, at least one.
[[nodiscard]] Range rangeOf(std::span<const float> numbers);

} // namespace engine::eval
