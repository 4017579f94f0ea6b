// The numbers that self-tests put into ops, and how far results may be from each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/selftest_cases.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine::backend {

// Sums in another order; products with halves; activations rounded to 8 bits.
constexpr double kExact = 0;
constexpr double kSmooth = 1e-4;
constexpr double kSums = 1e-3;
constexpr double kRounded = 3e-2;

/// kSelfTestRows rows of `width`: in turn an ordinary one, one whose sums are out of a half's
/// range, zeros, and one with an outlier.
[[nodiscard]] std::vector<float> wildRows(std::uint32_t width, unsigned seed);
/// Ordinary ones alone.
[[nodiscard]] std::vector<float> calmRows(std::uint32_t width, unsigned seed,
                                          float deviation = 1.0F);
/// So many, from a half up.
[[nodiscard]] std::vector<float> positive(std::size_t count, unsigned seed);
/// As Route gives them: numbers of `used` of the experts, then their weights.
[[nodiscard]] std::vector<float> someRoutes(std::uint32_t experts, std::uint32_t used);

} // namespace engine::backend
