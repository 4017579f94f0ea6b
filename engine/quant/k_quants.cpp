#include "engine/quant/k_quants.h"

#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

constexpr std::size_t kGroup16 = 16;
constexpr std::size_t kGroup32 = 32;

constexpr std::size_t kGroups16 = kSuperBlockSize / kGroup16;
constexpr std::size_t kGroups32 = kSuperBlockSize / kGroup32;

// Levels by group and place in the group: then all that depends on the group stays out of the loop
// over its elements, and a processor can take many elements at once.

/// The 2-bit level of element `j` of a group of 16, in the order of Q2_K and Q3_K.
int twoBitLevel(const std::uint8_t quants[64], std::size_t group, std::size_t j)
{
    const std::size_t half = group / 8;
    const std::size_t quarter = group % 8 / 2;
    return quants[32 * half + kGroup16 * (group % 2) + j] >> (2 * quarter) & 3;
}

/// The third bit of element `j` of a group of 16 of Q3_K.
int thirdBit(const std::uint8_t highMask[32], std::size_t group, std::size_t j)
{
    return highMask[kGroup16 * (group % 2) + j] >> (group / 2) & 1;
}

/// The 4-bit level of element `j` of a group of 32, in the order of Q4_K and Q5_K.
int fourBitLevel(const std::uint8_t quants[128], std::size_t group, std::size_t j)
{
    return quants[kGroup32 * (group / 2) + j] >> (group % 2 * 4) & 15;
}

/// The 6-bit level of element `j` of a group of 16 of Q6_K.
int sixBitLevel(const BlockQ6_K& block, std::size_t group, std::size_t j)
{
    const std::size_t half = group / 8;
    const std::size_t quarter = group % 8 / 2;
    const std::size_t column = kGroup16 * (group % 2) + j;
    const int low = block.quants[64 * half + 32 * (quarter % 2) + column] >> (quarter / 2 * 4) & 15;
    const int high = block.highBits[32 * half + column] >> (2 * quarter) & 3;
    return low | high << 4;
}

} // namespace

void decodeQ2_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ2_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        for (std::size_t group = 0; group < kGroups16; ++group) {
            const std::uint8_t packed = block->scales[group];
            const float groupScale = scale * static_cast<float>(packed & 15);
            const float groupMin = min * static_cast<float>(packed >> 4);
            for (std::size_t j = 0; j < kGroup16; ++j) {
                const int level = twoBitLevel(block->quants, group, j);
                values[kGroup16 * group + j] = groupScale * static_cast<float>(level) - groupMin;
            }
        }
    }
}

void decodeQ3_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ3_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        std::int8_t scales[kGroups16];
        unpackScalesQ3K(block->scales, scales);
        for (std::size_t group = 0; group < kGroups16; ++group) {
            const float groupScale = scale * static_cast<float>(scales[group]);
            for (std::size_t j = 0; j < kGroup16; ++j) {
                const int high = thirdBit(block->highMask, group, j);
                const int level = (twoBitLevel(block->quants, group, j) | high << 2) - 4;
                values[kGroup16 * group + j] = groupScale * static_cast<float>(level);
            }
        }
    }
}

void decodeQ4_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ4_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        std::uint8_t scales[kGroups32];
        std::uint8_t mins[kGroups32];
        unpackScalesMins(block->scales, scales, mins);
        for (std::size_t group = 0; group < kGroups32; ++group) {
            const float groupScale = scale * static_cast<float>(scales[group]);
            const float groupMin = min * static_cast<float>(mins[group]);
            for (std::size_t j = 0; j < kGroup32; ++j) {
                const int level = fourBitLevel(block->quants, group, j);
                values[kGroup32 * group + j] = groupScale * static_cast<float>(level) - groupMin;
            }
        }
    }
}

void decodeQ5_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ5_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        std::uint8_t scales[kGroups32];
        std::uint8_t mins[kGroups32];
        unpackScalesMins(block->scales, scales, mins);
        for (std::size_t group = 0; group < kGroups32; ++group) {
            const float groupScale = scale * static_cast<float>(scales[group]);
            const float groupMin = min * static_cast<float>(mins[group]);
            for (std::size_t j = 0; j < kGroup32; ++j) {
                const int high = block->highBits[j] >> group & 1;
                const int level = fourBitLevel(block->quants, group, j) | high << 4;
                values[kGroup32 * group + j] = groupScale * static_cast<float>(level) - groupMin;
            }
        }
    }
}

void decodeQ6_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ6_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t group = 0; group < kGroups16; ++group) {
            const float groupScale = scale * static_cast<float>(block->scales[group]);
            for (std::size_t j = 0; j < kGroup16; ++j) {
                const int level = sixBitLevel(*block, group, j) - 32;
                values[kGroup16 * group + j] = groupScale * static_cast<float>(level);
            }
        }
    }
}

} // namespace engine::quant
