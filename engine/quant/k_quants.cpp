#include "engine/quant/k_quants.h"

#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

constexpr std::size_t kGroup16 = 16;
constexpr std::size_t kGroup32 = 32;

/// The 2-bit level of element `index` of a block in the order of Q2_K and Q3_K.
int twoBitLevel(const std::uint8_t quants[64], std::size_t index)
{
    const std::size_t half = index / 128;
    const std::size_t quarter = index % 128 / 32;
    return quants[32 * half + index % 32] >> (2 * quarter) & 3;
}

/// The 4-bit level of element `index` of a block in the order of Q4_K and Q5_K.
int fourBitLevel(const std::uint8_t quants[128], std::size_t index)
{
    const std::size_t group = index / kGroup32;
    return quants[32 * (group / 2) + index % 32] >> (group % 2 ? 4 : 0) & 15;
}

/// The 6-bit level of element `index` of a block of Q6_K.
int sixBitLevel(const BlockQ6_K& block, std::size_t index)
{
    const std::size_t half = index / 128;
    const std::size_t quarter = index % 128 / 32;
    const std::size_t column = index % 32;
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
        for (std::size_t i = 0; i < kSuperBlockSize; ++i) {
            const std::uint8_t packed = block->scales[i / kGroup16];
            const float groupScale = scale * static_cast<float>(packed & 15);
            const float groupMin = min * static_cast<float>(packed >> 4);
            values[i] = groupScale * static_cast<float>(twoBitLevel(block->quants, i)) - groupMin;
        }
    }
}

void decodeQ3_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ3_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        std::int8_t scales[kSuperBlockSize / kGroup16];
        unpackScalesQ3K(block->scales, scales);
        for (std::size_t i = 0; i < kSuperBlockSize; ++i) {
            const float groupScale = scale * static_cast<float>(scales[i / kGroup16]);
            const int high = block->highMask[i % 32] >> (i / 32) & 1;
            const int level = (twoBitLevel(block->quants, i) | high << 2) - 4;
            values[i] = groupScale * static_cast<float>(level);
        }
    }
}

void decodeQ4_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ4_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        std::uint8_t scales[kSuperBlockSize / kGroup32];
        std::uint8_t mins[kSuperBlockSize / kGroup32];
        unpackScalesMins(block->scales, scales, mins);
        for (std::size_t i = 0; i < kSuperBlockSize; ++i) {
            const float groupScale = scale * static_cast<float>(scales[i / kGroup32]);
            const float groupMin = min * static_cast<float>(mins[i / kGroup32]);
            values[i] = groupScale * static_cast<float>(fourBitLevel(block->quants, i)) - groupMin;
        }
    }
}

void decodeQ5_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ5_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        std::uint8_t scales[kSuperBlockSize / kGroup32];
        std::uint8_t mins[kSuperBlockSize / kGroup32];
        unpackScalesMins(block->scales, scales, mins);
        for (std::size_t i = 0; i < kSuperBlockSize; ++i) {
            const std::size_t group = i / kGroup32;
            const float groupScale = scale * static_cast<float>(scales[group]);
            const float groupMin = min * static_cast<float>(mins[group]);
            const int high = block->highBits[i % 32] >> group & 1;
            const int level = fourBitLevel(block->quants, i) | high << 4;
            values[i] = groupScale * static_cast<float>(level) - groupMin;
        }
    }
}

void decodeQ6_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ6_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t i = 0; i < kSuperBlockSize; ++i) {
            const float groupScale = scale * static_cast<float>(block->scales[i / kGroup16]);
            values[i] = groupScale * static_cast<float>(sixBitLevel(*block, i) - 32);
        }
    }
}

} // namespace engine::quant
