#include "engine/quant/blocks.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"

#include <bit>

namespace engine::quant {

namespace {

template <std::size_t Count>
void scaleQuants(const std::int8_t (&quants)[Count], float scale, float* values)
{
    for (std::size_t j = 0; j < Count; ++j) {
        values[j] = static_cast<float>(quants[j]) * scale;
    }
}

} // namespace

void decodeQ8_1(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ8_1>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kLegacyBlockSize) {
        scaleQuants(block->quants, halfToFloat(block->scale), values);
    }
}

void decodeQ8_K(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockQ8_K>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block, values += kSuperBlockSize) {
        const std::uint32_t scale = block->scale; // a copy: the member may lie anywhere
        scaleQuants(block->quants, std::bit_cast<float>(scale), values);
    }
}

} // namespace engine::quant
