// The scales of MXFP4 and NVFP4 as floats, for decoders and kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace engine::quant {

/// Half of the power of two that an E8M0 byte stands for, 2^(byte − 128): half, since kValuesFP4
/// are doubled. There is no NaN: 255 is 2^127.
[[nodiscard]] [[gnu::always_inline]] inline float e8m0ToFloat(std::uint8_t bits)
{
    const std::uint32_t number = bits;
    // below 2^-126 a float has no exponent left
    return __builtin_bit_cast(float, number < 2 ? 0x00200000U << number : (number - 1U) << 23U);
}

/// Half of what an unsigned float of 4 exponent and 3 fraction bits stands for; the top bit of the
/// byte is not used. 0x7f, NaN by the book, is 0 as in ggml.
[[nodiscard]] [[gnu::always_inline]] inline float e4m3ToFloat(std::uint8_t bits)
{
    const std::uint32_t exponent = bits >> 3U & 15U;
    const std::uint32_t fraction = bits & 7U;
    if (bits == 0x7fU) {
        return 0.0F;
    }
    if (exponent == 0) {
        return static_cast<float>(fraction) * 0x1p-10F;
    }
    return __builtin_bit_cast(float, (exponent + 119U) << 23U | fraction << 20U);
}

} // namespace engine::quant
