#include "engine/quant/blocks_iq.h"
#include "engine/quant/codec.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

constexpr std::size_t kGroups8 = kSuperBlockSize / 8;
constexpr std::size_t kGroups32 = kSuperBlockSize / 32;
constexpr float kEighth = 0.125F;

/// The weights of one pattern; bit j of `signs` makes weight j negative.
template <typename Entry>
void signedWeights(Entry entry, std::uint32_t signs, float scale, float* values)
{
    for (std::size_t j = 0; j < sizeof(Entry); ++j) {
        const float weight = scale * static_cast<float>(gridWeight(entry, j));
        values[j] = (signs >> j & 1U) ? -weight : weight;
    }
}

/// The weights of one pattern of IQ1, each moved by `shift`.
void shiftedWeights(std::uint64_t entry, float shift, float scale, float* values)
{
    for (std::size_t j = 0; j < 8; ++j) {
        values[j] = scale * (static_cast<float>(gridWeight(entry, j)) + shift);
    }
}

float halfSteps(std::uint32_t subScale)
{
    return 0.5F + static_cast<float>(subScale);
}

float oddSteps(std::uint32_t subScale)
{
    return static_cast<float>(2 * subScale + 1);
}

} // namespace

void decodeIQ2_XXS(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ2_XXS>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t group = 0; group < kGroups32; ++group) {
            const std::uint32_t indices = block->words[2 * group];
            const std::uint32_t word = block->words[2 * group + 1];
            const float groupScale = scale * halfSteps(word >> 28U) * 0.25F;
            for (std::size_t k = 0; k < 4; ++k, values += 8) {
                signedWeights(kGridIQ2_XXS.entries[indices >> (8 * k) & 255U],
                              eightSigns(word >> (7 * k) & 127U), groupScale, values);
            }
        }
    }
}

void decodeIQ2_XS(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ2_XS>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t k = 0; k < kGroups8; ++k, values += 8) {
            const std::uint32_t word = block->quants[k];
            const float groupScale = scale * halfSteps(nibbleAt(block->scales, k / 2)) * 0.25F;
            signedWeights(kGridIQ2_XS.entries[word & 511U], eightSigns(word >> 9U), groupScale,
                          values);
        }
    }
}

void decodeIQ2_S(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ2_S>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t k = 0; k < kGroups8; ++k, values += 8) {
            const std::uint32_t high = block->highBits[k / 4] >> (2 * (k % 4)) & 3U;
            const float groupScale = scale * halfSteps(nibbleAt(block->scales, k / 2)) * 0.25F;
            signedWeights(kGridIQ2_S.entries[block->quants[k] | high << 8U], block->signs[k],
                          groupScale, values);
        }
    }
}

void decodeIQ3_XXS(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ3_XXS>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t k = 0; k < kGroups8; ++k, values += 8) {
            const std::uint32_t word = block->words[k / 4];
            const std::uint32_t signs = eightSigns(word >> (7 * (k % 4)) & 127U);
            const float groupScale = scale * halfSteps(word >> 28U) * 0.5F;
            signedWeights(kGridIQ3_XXS.entries[block->quants[2 * k]], signs, groupScale, values);
            signedWeights(kGridIQ3_XXS.entries[block->quants[2 * k + 1]], signs >> 4U, groupScale,
                          values + 4);
        }
    }
}

void decodeIQ3_S(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ3_S>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t k = 0; k < 2 * kGroups8; ++k, values += 4) {
            const std::uint32_t high = block->highBits[k / 8] >> (k % 8) & 1U;
            const std::uint32_t signs = static_cast<std::uint32_t>(block->signs[k / 2]);
            const float groupScale = scale * oddSteps(nibbleAt(block->scales, k / 8));
            signedWeights(kGridIQ3_S.entries[block->quants[k] | high << 8U], signs >> (k % 2 * 4),
                          groupScale, values);
        }
    }
}

void decodeIQ1_S(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ1_S>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(block->scale);
        for (std::size_t k = 0; k < kGroups8; ++k, values += 8) {
            const std::uint32_t word = block->highBits[k / 4];
            const std::uint32_t high = word >> (3 * (k % 4)) & 7U;
            shiftedWeights(kGridIQ1.entries[block->quants[k] | high << 8U],
                           word >> 15U ? -kEighth : kEighth, scale * oddSteps(word >> 12U & 7U),
                           values);
        }
    }
}

void decodeIQ1_M(const std::byte* source, float* values, std::size_t blocks)
{
    const auto* block = blocksAt<BlockIQ1_M>(source);
    for (std::size_t b = 0; b < blocks; ++b, ++block) {
        const float scale = halfToFloat(scaleBitsOf(*block));
        for (std::size_t k = 0; k < kGroups8; ++k, values += 8) {
            const std::uint32_t nibble = nibbleAt(block->highBits, k);
            const std::uint32_t subScale = block->scales[k / 8] >> (3 * (k / 2 % 4)) & 7U;
            shiftedWeights(kGridIQ1.entries[block->quants[k] | (nibble & 7U) << 8U],
                           nibble & 8U ? -kEighth : kEighth, scale * oddSteps(subScale), values);
        }
    }
}

} // namespace engine::quant
