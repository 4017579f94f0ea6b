#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

#include <cmath>
#include <cstring>

namespace engine::quant {

namespace {

constexpr std::size_t kHalfBlock = kLegacyBlockSize / 2;

template <typename Block>
Block* blocksIn(std::byte* target)
{
    static_assert(alignof(Block) == 1);
    return reinterpret_cast<Block*>(target);
}

std::uint32_t wordOf(const std::uint8_t bytes[4])
{
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// The value whose magnitude is largest, with its sign; the first of equal ones.
float extremeOf(const float* values)
{
    float extreme = 0;
    for (std::size_t i = 0; i < kLegacyBlockSize; ++i) {
        if (std::fabs(values[i]) > std::fabs(extreme)) {
            extreme = values[i];
        }
    }
    return extreme;
}

struct Range
{
    float low;
    float high;
};

Range rangeOf(const float* values)
{
    Range range { values[0], values[0] };
    for (std::size_t i = 1; i < kLegacyBlockSize; ++i) {
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
    }
    return range;
}

float inverse(float scale)
{
    return scale != 0 ? 1 / scale : 0;
}

/// The whole part of `value`, held in 0 … `largest`; 0 for NaN, so that odd weights make odd
/// levels, never a bad cast.
unsigned level(float value, unsigned largest)
{
    if (!(value > 0)) {
        return 0;
    }
    return value < static_cast<float>(largest) ? static_cast<unsigned>(value) : largest;
}

std::int8_t signedLevel(float value)
{
    const float rounded = std::round(value);
    if (!(rounded > -127)) {
        return std::isnan(rounded) ? 0 : -127;
    }
    return static_cast<std::int8_t>(rounded < 127 ? rounded : 127);
}

/// Levels of 4 bits: element j in the low nibble of byte j, element j + 16 in the high one.
void packNibbles(const unsigned levels[kLegacyBlockSize], std::uint8_t quants[kHalfBlock])
{
    for (std::size_t j = 0; j < kHalfBlock; ++j) {
        quants[j] =
            static_cast<std::uint8_t>((levels[j] & 15U) | (levels[j + kHalfBlock] & 15U) << 4U);
    }
}

/// Bit 4 of every level, gathered in a word: element j in bit j.
void packFifthBits(const unsigned levels[kLegacyBlockSize], std::uint8_t highBits[4])
{
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
        word |= (levels[j] >> 4U & 1U) << j;
    }
    std::memcpy(highBits, &word, sizeof word);
}

/// The 32 levels of 4 bits.
void unpackNibbles(const std::uint8_t quants[kHalfBlock], int levels[kLegacyBlockSize])
{
    for (std::size_t j = 0; j < kHalfBlock; ++j) {
        levels[j] = quants[j] & 15;
        levels[j + kHalfBlock] = quants[j] >> 4;
    }
}

/// The 32 levels of 5 bits.
void unpackFiveBits(const std::uint8_t quants[kHalfBlock], const std::uint8_t highBits[4],
                    int levels[kLegacyBlockSize])
{
    unpackNibbles(quants, levels);
    const std::uint32_t word = wordOf(highBits);
    for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
        levels[j] |= static_cast<int>((word >> j & 1U) << 4U);
    }
}

} // namespace

// Q4_0

void decodeQ4_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ4_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        int levels[kLegacyBlockSize];
        unpackNibbles(block->quants, levels);
        const float scale = halfToFloat(block->scale);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            values[j] = static_cast<float>(levels[j] - 8) * scale;
        }
    }
}

void encodeQ4_0(const float* values, std::byte* target, std::size_t blocks)
{
    auto* block = blocksIn<BlockQ4_0>(target);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        // The largest magnitude takes level 0 (−8): a negative level more than there are positive
        // ones.
        const float scale = extremeOf(values) / -8;
        const float factor = inverse(scale);
        unsigned levels[kLegacyBlockSize];
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            levels[j] = level(values[j] * factor + 8.5F, 15);
        }
        block->scale = floatToHalf(scale);
        packNibbles(levels, block->quants);
    }
}

// Q4_1

void decodeQ4_1(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ4_1>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        int levels[kLegacyBlockSize];
        unpackNibbles(block->quants, levels);
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            values[j] = static_cast<float>(levels[j]) * scale + min;
        }
    }
}

void encodeQ4_1(const float* values, std::byte* target, std::size_t blocks)
{
    auto* block = blocksIn<BlockQ4_1>(target);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        const Range range = rangeOf(values);
        const float scale = (range.high - range.low) / 15;
        const float factor = inverse(scale);
        unsigned levels[kLegacyBlockSize];
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            levels[j] = level((values[j] - range.low) * factor + 0.5F, 15);
        }
        block->scale = floatToHalf(scale);
        block->min = floatToHalf(range.low);
        packNibbles(levels, block->quants);
    }
}

// Q5_0

void decodeQ5_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ5_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        int levels[kLegacyBlockSize];
        unpackFiveBits(block->quants, block->highBits, levels);
        const float scale = halfToFloat(block->scale);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            values[j] = static_cast<float>(levels[j] - 16) * scale;
        }
    }
}

void encodeQ5_0(const float* values, std::byte* target, std::size_t blocks)
{
    auto* block = blocksIn<BlockQ5_0>(target);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        const float scale = extremeOf(values) / -16;
        const float factor = inverse(scale);
        unsigned levels[kLegacyBlockSize];
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            levels[j] = level(values[j] * factor + 16.5F, 31);
        }
        block->scale = floatToHalf(scale);
        packNibbles(levels, block->quants);
        packFifthBits(levels, block->highBits);
    }
}

// Q5_1

void decodeQ5_1(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ5_1>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        int levels[kLegacyBlockSize];
        unpackFiveBits(block->quants, block->highBits, levels);
        const float scale = halfToFloat(block->scale);
        const float min = halfToFloat(block->min);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            values[j] = static_cast<float>(levels[j]) * scale + min;
        }
    }
}

void encodeQ5_1(const float* values, std::byte* target, std::size_t blocks)
{
    auto* block = blocksIn<BlockQ5_1>(target);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        const Range range = rangeOf(values);
        const float scale = (range.high - range.low) / 31;
        const float factor = inverse(scale);
        unsigned levels[kLegacyBlockSize];
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            levels[j] = level((values[j] - range.low) * factor + 0.5F, 31);
        }
        block->scale = floatToHalf(scale);
        block->min = floatToHalf(range.low);
        packNibbles(levels, block->quants);
        packFifthBits(levels, block->highBits);
    }
}

// Q8_0

void decodeQ8_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ8_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            values[j] = static_cast<float>(block->quants[j]) * scale;
        }
    }
}

void encodeQ8_0(const float* values, std::byte* target, std::size_t blocks)
{
    auto* block = blocksIn<BlockQ8_0>(target);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        const float scale = std::fabs(extremeOf(values)) / 127;
        const float factor = inverse(scale);
        block->scale = floatToHalf(scale);
        for (std::size_t j = 0; j < kLegacyBlockSize; ++j) {
            block->quants[j] = signedLevel(values[j] * factor);
        }
    }
}

} // namespace engine::quant
