// The packed 6-bit scales inside K-quant blocks, for decoders and kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace engine::quant {

/// Q4_K, Q5_K: 8 scales and 8 mins, 6 bits each (0 to 63).
/// The first four of each are the low 6 bits of bytes 0–3 and 4–7; of the last four the low nibbles
/// are in bytes 8–11 (scale low, min high) and the upper 2 bits in the top bits of bytes 0–3 and
/// 4–7.
[[gnu::always_inline]] inline void unpackScalesMins(const std::uint8_t packed[12],
                                                    std::uint8_t scales[8], std::uint8_t mins[8])
{
    for (int i = 0; i < 4; ++i) {
        const unsigned first = packed[i];
        const unsigned second = packed[4 + i];
        const unsigned third = packed[8 + i];
        scales[i] = static_cast<std::uint8_t>(first & 63U);
        mins[i] = static_cast<std::uint8_t>(second & 63U);
        scales[4 + i] = static_cast<std::uint8_t>((third & 15U) | (first >> 6U) << 4U);
        mins[4 + i] = static_cast<std::uint8_t>((third >> 4U) | (second >> 6U) << 4U);
    }
}

/// Q3_K: 16 scales of 6 bits, given with their offset of 32 taken off (−32 to 31).
/// Scale i has its low nibble in byte i % 8 (low nibble for i < 8, else high) and its upper 2 bits
/// at bit 2 × (i / 4) of byte 8 + i % 4.
[[gnu::always_inline]] inline void unpackScalesQ3K(const std::uint8_t packed[12],
                                                   std::int8_t scales[16])
{
    for (int i = 0; i < 16; ++i) {
        const unsigned low = static_cast<unsigned>(packed[i % 8]) >> (i < 8 ? 0 : 4) & 15U;
        const unsigned high = static_cast<unsigned>(packed[8 + i % 4]) >> (2 * (i / 4)) & 3U;
        scales[i] = static_cast<std::int8_t>(static_cast<int>(low | high << 4U) - 32);
    }
}

} // namespace engine::quant
