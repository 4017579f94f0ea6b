#include "engine/quant/fp4.h"

#include "engine/quant/blocks.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

/// 2 × `Count` values out of `Count` bytes: the low nibbles, then the high ones.
template <std::size_t Count>
void nibbleValues(const std::uint8_t* quants, float scale, float* values)
{
    for (std::size_t j = 0; j < Count; ++j) {
        values[j] = scale * static_cast<float>(kValuesFP4[quants[j] & 15]);
        values[j + Count] = scale * static_cast<float>(kValuesFP4[quants[j] >> 4]);
    }
}

} // namespace

void decodeMXFP4(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockMXFP4>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockMXFP4::kSize) {
        nibbleValues<16>(block->quants, e8m0ToFloat(block->exponent), values);
    }
}

void decodeNVFP4(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockNVFP4>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += BlockNVFP4::kSize) {
        for (std::size_t group = 0; group < 4; ++group) {
            nibbleValues<8>(block->quants + 8 * group, e4m3ToFloat(block->scales[group]),
                            values + 16 * group);
        }
    }
}

} // namespace engine::quant
