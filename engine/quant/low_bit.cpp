#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

namespace engine::quant {

void decodeQ1_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ1_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockQ1_0::kSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t i = 0; i < BlockQ1_0::kSize; ++i) {
            const int bit = block->quants[i / 8] >> (i % 8) & 1;
            values[i] = static_cast<float>(2 * bit - 1) * scale;
        }
    }
}

void decodeQ2_0(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ2_0>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockQ2_0::kSize) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t i = 0; i < BlockQ2_0::kSize; ++i) {
            const int level = block->quants[i / 4] >> (2 * (i % 4)) & 3;
            values[i] = static_cast<float>(level - 1) * scale;
        }
    }
}

} // namespace engine::quant
