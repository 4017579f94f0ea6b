// The blocks of the quantized tensor types, byte for byte as they lie in a GGUF file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace engine::quant {

/// Elements in a block of Q4_0, Q4_1, Q5_0, Q5_1 and Q8_0.
inline constexpr std::size_t kLegacyBlockSize = 32;
/// Elements in a block of Q2_K to Q6_K.
inline constexpr std::size_t kSuperBlockSize = 256;
/// Bytes of the 6-bit scales in a block of Q3_K, Q4_K and Q5_K.
inline constexpr std::size_t kPackedScalesSize = 12;

// Packed to alignment 1: general.alignment of a file may be 1, so a block can start at any address.
// `scale` and `min` hold IEEE halves (see halfToFloat), little-endian like the file.
#pragma pack(push, 1)

/// value = scale × (q − 8), q of 4 bits. Element j is the low nibble of quants[j], element j + 16
/// the high nibble.
struct BlockQ4_0
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ4_0) == 18);

/// value = scale × q + min, q of 4 bits, nibbles as in Q4_0.
struct BlockQ4_1
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t min; ///< half
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ4_1) == 20);

/// value = scale × (q − 16), q of 5 bits: the nibble as in Q4_0, and above it bit j of highBits for
/// element j.
struct BlockQ5_0
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint8_t highBits[4]; ///< one little-endian 32-bit word
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ5_0) == 22);

/// value = scale × q + min, q of 5 bits as in Q5_0.
struct BlockQ5_1
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t min; ///< half
    std::uint8_t highBits[4]; ///< one little-endian 32-bit word
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ5_1) == 24);

/// value = scale × q, q a signed byte.
struct BlockQ8_0
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::int8_t quants[32];
};
static_assert(sizeof(BlockQ8_0) == 34);

/// 16 groups of 16 elements: value = (scale × s) × q − (min × m), q of 2 bits.
/// Group g has s = low nibble and m = high nibble of scales[g]. Elements come in halves of 128 (h =
/// 0, 1) and in each half in quarters of 32 (k = 0 … 3): element 128 h + 32 k + j is bits 2k and 2k
/// + 1 of quants[32 h + j].
struct BlockQ2_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t scales[16];
    std::uint8_t quants[64];
    std::uint16_t scale; ///< half
    std::uint16_t min; ///< half
};
static_assert(sizeof(BlockQ2_K) == 84);

/// 16 groups of 16 elements: value = (scale × (s − 32)) × (q − 4), q of 3 bits, s of 6 bits
/// (unpackScalesQ3K). The low 2 bits lie as in Q2_K; the third bit of element 32 n + j is bit n of
/// highMask[j].
struct BlockQ3_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t highMask[32];
    std::uint8_t quants[64];
    std::uint8_t scales[kPackedScalesSize]; ///< 16 numbers of 6 bits
    std::uint16_t scale; ///< half
};
static_assert(sizeof(BlockQ3_K) == 110);

/// 8 groups of 32 elements: value = (scale × s) × q − (min × m), q of 4 bits, s and m of 6 bits
/// (unpackScalesMins). Pair p of groups shares quants[32 p …]: group 2p is the low nibbles, group
/// 2p + 1 the high ones.
struct BlockQ4_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t min; ///< half
    std::uint8_t scales[kPackedScalesSize]; ///< 8 scales and 8 mins of 6 bits
    std::uint8_t quants[128];
};
static_assert(sizeof(BlockQ4_K) == 144);

/// Like Q4_K with q of 5 bits: the fifth bit of element j of group g is bit g of highBits[j].
struct BlockQ5_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t min; ///< half
    std::uint8_t scales[kPackedScalesSize]; ///< 8 scales and 8 mins of 6 bits
    std::uint8_t highBits[32];
    std::uint8_t quants[128];
};
static_assert(sizeof(BlockQ5_K) == 176);

/// 16 groups of 16 elements: value = (scale × scales[group]) × (q − 32), q of 6 bits.
/// In half h of 128 elements, element 128 h + 32 k + j (k = 0 … 3) has its low 4 bits in quants[64
/// h + 32 (k % 2) + j] (low nibble for k < 2, else high) and its upper 2 bits in bits 2k and 2k + 1
/// of highBits[32 h + j].
struct BlockQ6_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t quants[128]; ///< low 4 bits
    std::uint8_t highBits[64]; ///< upper 2 bits
    std::int8_t scales[16];
    std::uint16_t scale; ///< half
};
static_assert(sizeof(BlockQ6_K) == 210);

/// value = scale × q, q a signed byte. What ggml makes of activations before it multiplies them by
/// Q4_1 and the like; rarely in a file.
struct BlockQ8_1
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint16_t scale; ///< half
    std::uint16_t sum; ///< half: scale × the sum of the quants
    std::int8_t quants[32];
};
static_assert(sizeof(BlockQ8_1) == 36);

/// value = scale × q, q a signed byte: the same for products with the K-quants.
struct BlockQ8_K
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint32_t scale; ///< bits of a float
    std::int8_t quants[256];
    std::int16_t sums[16]; ///< of 16 quants each
};
static_assert(sizeof(BlockQ8_K) == 292);

/// value = scale × (2 q − 1), q of one bit: bit j of quants[n] for element 8 n + j.
struct BlockQ1_0
{
    static constexpr std::size_t kSize = 128;
    std::uint16_t scale; ///< half
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ1_0) == 18);

/// value = scale × (q − 1), q of 2 bits: bits 2 j and 2 j + 1 of quants[n] for element 4 n + j.
struct BlockQ2_0
{
    static constexpr std::size_t kSize = 64;
    std::uint16_t scale; ///< half
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockQ2_0) == 18);

/// value = scale × (digit − 1), digits of base 3. A byte is a fraction of 256: digit n is the whole
/// part of 3 × (byte × 3ⁿ mod 256) / 256 (ternaryDigit). Elements come in rows of as many as there
/// are bytes: 5 rows of 32 from quants[0 …], 5 of 16 from quants[32 …], 4 of 4 from highBits, row n
/// being digit n.
struct BlockTQ1_0
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t quants[48];
    std::uint8_t highBits[4]; ///< four digits each
    std::uint16_t scale; ///< half
};
static_assert(sizeof(BlockTQ1_0) == 54);

/// value = scale × (q − 1), q of 2 bits in the order of Q2_K.
struct BlockTQ2_0
{
    static constexpr std::size_t kSize = kSuperBlockSize;
    std::uint8_t quants[64];
    std::uint16_t scale; ///< half
};
static_assert(sizeof(BlockTQ2_0) == 66);

/// value = 2^(exponent − 128) × kValuesFP4[q], q of 4 bits, nibbles as in Q4_0.
struct BlockMXFP4
{
    static constexpr std::size_t kSize = kLegacyBlockSize;
    std::uint8_t exponent; ///< see e8m0ToFloat
    std::uint8_t quants[16];
};
static_assert(sizeof(BlockMXFP4) == 17);

/// 4 groups of 16 elements: value = scale × kValuesFP4[q], q of 4 bits. Group g has quants[8 g …],
/// in byte j its elements j (low nibble) and j + 8.
struct BlockNVFP4
{
    static constexpr std::size_t kSize = 64;
    std::uint8_t scales[4]; ///< see e4m3ToFloat
    std::uint8_t quants[32];
};
static_assert(sizeof(BlockNVFP4) == 36);

#pragma pack(pop)

/// The blocks that start at `bytes`, read in place.
template <typename Block>
[[nodiscard]] const Block* blocksAt(const std::byte* bytes)
{
    static_assert(alignof(Block) == 1);
    return reinterpret_cast<const Block*>(bytes);
}

} // namespace engine::quant
