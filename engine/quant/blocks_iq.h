// The blocks of the types with codebooks and tables (IQ1 to IQ4), as they lie in a GGUF file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/quant/blocks.h"

namespace engine::quant {

// As in blocks.h. Words of 16 and 32 bits are little-endian. In the formulas s is a sub-scale, and
// grid the entry of a codebook (iq_grids.h) that an index chooses for some neighbouring weights.
#pragma pack(push, 1)

/// 32 groups of 8 weights: value = scale × (s + 1/2) / 4 × grid × sign.
/// Every 32 weights have 8 bytes: four indices of 8 bits, then a word with four times 7 bits of
/// signs (eightSigns) and, in its top 4 bits, s.
struct BlockIQ2_XXS
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint32_t words[16]; ///< indices at even places, signs and s at odd ones
};
static_assert(sizeof(BlockIQ2_XXS) == 66);

/// 32 groups of 8 weights with a word each: index of 9 bits, above it 7 bits of signs. value as in
/// IQ2_XXS; s of 16 weights is a nibble.
struct BlockIQ2_XS
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t quants[32];
    std::uint8_t scales[8]; ///< 16 nibbles, the low one first
};
static_assert(sizeof(BlockIQ2_XS) == 74);

/// Like IQ2_XS with indices of 10 bits and a sign bit for each weight.
struct BlockIQ2_S
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[32]; ///< lower 8 bits of the indices
    std::uint8_t signs[32]; ///< bit j of byte g: weight j of group g is negative
    std::uint8_t highBits[8]; ///< upper 2 bits of four indices each
    std::uint8_t scales[8]; ///< 16 nibbles, the low one first
};
static_assert(sizeof(BlockIQ2_S) == 82);

/// 64 groups of 4 weights: value = scale × (s + 1/2) / 2 × grid × sign, with signs and s of every
/// 32 weights in a word as in IQ2_XXS.
struct BlockIQ3_XXS
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[64]; ///< indices
    std::uint32_t words[8]; ///< signs and s
};
static_assert(sizeof(BlockIQ3_XXS) == 98);

/// 64 groups of 4 weights: value = scale × (1 + 2 s) × grid × sign, s of 32 weights a nibble.
struct BlockIQ3_S
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[64]; ///< lower 8 bits of the indices
    std::uint8_t highBits[8]; ///< bit j of byte n: ninth bit of index 8 n + j
    std::uint8_t signs[32]; ///< bit j of byte n: weight 8 n + j is negative
    std::uint8_t scales[4]; ///< 8 nibbles, the low one first
};
static_assert(sizeof(BlockIQ3_S) == 110);

/// 32 groups of 8 weights: value = scale × (2 s + 1) × (grid ± 1/8). Every 32 weights have a word
/// in highBits: the upper 3 bits of four indices, above them s of 3 bits, and on top whether the
/// eighth is taken away.
struct BlockIQ1_S
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[32]; ///< lower 8 bits of the indices
    std::uint16_t highBits[8];
};
static_assert(sizeof(BlockIQ1_S) == 50);

/// Like IQ1_S with s for every 16 weights and a sign of the eighth for every 8: a nibble of
/// highBits holds 3 bits of an index and, on top, that sign.
struct BlockIQ1_M
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t quants[32]; ///< lower 8 bits of the indices
    std::uint8_t highBits[16]; ///< the low nibble first
    std::uint16_t scales[4]; ///< four times 3 bits, and 4 bits of the scale (scaleBitsOf)
};
static_assert(sizeof(BlockIQ1_M) == 56);

/// value = scale × kValuesIQ4[q], q of 4 bits, nibbles as in Q4_0.
struct BlockIQ4_NL
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockIQ4_NL) == 18);

/// 8 groups of 32 weights: value = scale × (s − 32) × kValuesIQ4[q], s of 6 bits: a nibble of
/// scalesLow and 2 bits of scalesHigh. Group g has quants[16 g …], nibbles as in Q4_0.
struct BlockIQ4_XS
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t scalesHigh; ///< bits 2 g and 2 g + 1 for group g
    std::uint8_t scalesLow[4]; ///< 8 nibbles, the low one first
    std::uint8_t quants[128];
};
static_assert(sizeof(BlockIQ4_XS) == 136);

#pragma pack(pop)

/// The half that IQ1_M spreads over the top 4 bits of its words, the lowest bits in the first.
[[nodiscard]] [[gnu::always_inline]] inline std::uint16_t scaleBitsOf(const BlockIQ1_M& block)
{
    const std::uint32_t bits = block.scales[0] >> 12U | (block.scales[1] >> 8U & 0x00f0U)
        | (block.scales[2] >> 4U & 0x0f00U) | (block.scales[3] & 0xf000U);
    return static_cast<std::uint16_t>(bits);
}

/// Sub-scale `group` of an array of nibbles.
[[nodiscard]] [[gnu::always_inline]] inline std::uint32_t nibbleAt(const std::uint8_t* bytes,
                                                                   std::size_t group)
{
    return static_cast<std::uint32_t>(bytes[group / 2]) >> (group % 2 * 4) & 15U;
}

/// IQ4_XS: the sub-scale of a group with its offset of 32 taken off.
[[nodiscard]] [[gnu::always_inline]] inline int subScaleOf(const BlockIQ4_XS& block,
                                                           std::size_t group)
{
    const std::uint32_t high = static_cast<std::uint32_t>(block.scalesHigh) >> (2 * group) & 3U;
    return static_cast<int>(nibbleAt(block.scalesLow, group) | high << 4U) - 32;
}

} // namespace engine::quant
