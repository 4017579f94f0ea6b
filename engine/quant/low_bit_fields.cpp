// The fields of Q1_0 and Q2_0 (low_bit.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

/// `Bits` bits of a weight; weights follow each other.
template <std::uint32_t Offset, std::uint32_t Bits>
BitRuns levelBits(std::uint32_t weight)
{
    return { { 8 * Offset + Bits * weight, Bits } };
}

template <typename Block>
constexpr BlockMember kMembers[] = {
    { "d", offsetof(Block, scale), 2, 2 },
    { "qs", offsetof(Block, quants), sizeof(Block::quants) },
};
template <typename Block, std::uint32_t Bits>
constexpr FieldGroup kGroups[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(Block, scale)> },
    { FieldKind::Quant, "q", Block::kSize, NumberForm::Unsigned,
      levelBits<offsetof(Block, quants), Bits> },
};

} // namespace

constinit const BlockLayout kLayoutQ1_0 {
    kMembers<BlockQ1_0>, kGroups<BlockQ1_0, 1>, "d · (2 · q − 1)", {}
};
constinit const BlockLayout kLayoutQ2_0 {
    kMembers<BlockQ2_0>, kGroups<BlockQ2_0, 2>, "d · (q − 1)", {}
};

} // namespace engine::quant
