// The digits of base 3 in a byte of TQ1_0, for the decoder and the fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace engine::quant {

/// Digit `n` (0 to 4) of a byte that stands for the fraction byte / 256: 0, 1 or 2, the most
/// significant first.
[[nodiscard]] inline std::uint32_t ternaryDigit(std::uint8_t byte, std::uint32_t n)
{
    constexpr std::uint32_t kPowers[] = { 1, 3, 9, 27, 81 };
    const std::uint32_t rest = byte * kPowers[n] & 255U;
    return rest * 3U >> 8U;
}

} // namespace engine::quant
