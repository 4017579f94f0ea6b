#include "engine/quant/ternary.h"

#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

/// `rows` rows of digits, as long as there are bytes; returns the place behind them.
float* digitRows(const std::uint8_t* bytes, std::size_t count, std::uint32_t rows, float scale,
                 float* values)
{
    for (std::uint32_t n = 0; n < rows; ++n) {
        for (std::size_t j = 0; j < count; ++j) {
            const int digit = static_cast<int>(ternaryDigit(bytes[j], n));
            *values++ = static_cast<float>(digit - 1) * scale;
        }
    }
    return values;
}

} // namespace

void decodeTQ1_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockTQ1_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        values = digitRows(block->quants, 32, 5, scale, values);
        values = digitRows(block->quants + 32, 16, 5, scale, values);
        values = digitRows(block->highBits, 4, 4, scale, values);
    }
}

void decodeTQ2_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockTQ2_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockTQ2_0::kSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t i = 0; i < BlockTQ2_0::kSize; ++i) {
            const int level = block->quants[32 * (i / 128) + i % 32] >> (2 * (i % 128 / 32)) & 3;
            values[i] = static_cast<float>(level - 1) * scale;
        }
    }
}

} // namespace engine::quant
