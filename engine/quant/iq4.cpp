#include "engine/quant/blocks_iq.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

/// 32 values out of 16 bytes: the low nibbles, then the high ones.
void nibbleValues(const std::uint8_t* quants, float scale, float* values)
{
    for (std::size_t j = 0; j < 16; ++j) {
        values[j] = scale * static_cast<float>(kValuesIQ4[quants[j] & 15]);
        values[j + 16] = scale * static_cast<float>(kValuesIQ4[quants[j] >> 4]);
    }
}

} // namespace

void decodeIQ4_NL(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ4_NL>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockIQ4_NL::kSize) {
        nibbleValues(block->quants, halfToFloat(block->scale), values);
    }
}

void decodeIQ4_XS(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ4_XS>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t group = 0; group < 8; ++group, values += 32) {
            nibbleValues(block->quants + 16 * group,
                         scale * static_cast<float>(subScaleOf(*block, group)), values);
        }
    }
}

} // namespace engine::quant
