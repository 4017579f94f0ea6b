// The codebooks of IQ1, IQ2, IQ3 and the tables of 16 values of IQ4 and FP4: facts of the format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace engine::quant {

/// Patterns of as many weights as an Entry has bytes: weight j is the signed byte j (the lowest
/// first). A plain array, so that code of every instruction set can read it.
template <typename Entry, std::size_t Count>
struct Grid
{
    Entry entries[Count];
};

extern const Grid<std::uint64_t, 2048> kGridIQ1; ///< of IQ1_S and IQ1_M: −1, 0, 1
extern const Grid<std::uint64_t, 256> kGridIQ2_XXS; ///< 8, 25, 43, signs apart
extern const Grid<std::uint64_t, 512> kGridIQ2_XS; ///< the same
extern const Grid<std::uint64_t, 1024> kGridIQ2_S; ///< the same
extern const Grid<std::uint32_t, 256> kGridIQ3_XXS; ///< 4, 12 … 52, 62, signs apart
extern const Grid<std::uint32_t, 512> kGridIQ3_S; ///< 1, 3 … 15, signs apart

/// Weight `j` of an entry.
template <typename Entry>
[[nodiscard]] [[gnu::always_inline]] inline std::int8_t gridWeight(Entry entry, std::size_t j)
{
    return static_cast<std::int8_t>(entry >> (8 * j));
}

/// The signs of 8 weights (bit j set: weight j is negative) out of the 7 that IQ2_XXS, IQ2_XS and
/// IQ3_XXS store: the last makes their number even.
[[nodiscard]] [[gnu::always_inline]] inline std::uint32_t eightSigns(std::uint32_t seven)
{
    return seven | static_cast<std::uint32_t>(__builtin_parity(seven)) << 7U;
}

/// IQ4_NL and IQ4_XS: the value of a level, closer together near zero.
inline constexpr std::int8_t kValuesIQ4[16] = { -127, -104, -83, -65, -49, -35, -22, -10,
                                                1,    13,   25,  38,  53,  69,  89,  113 };
/// MXFP4 and NVFP4: twice the value of a float of 4 bits (E2M1); −0 counts as 0.
inline constexpr std::int8_t kValuesFP4[16] = { 0, 1,  2,  3,  4,  6,  8,  12,
                                                0, -1, -2, -3, -4, -6, -8, -12 };

} // namespace engine::quant
