// The fields of Q2_K to Q6_K (k_quants.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

constexpr std::uint32_t kWeights = kSuperBlockSize;
constexpr std::uint32_t kGroups16 = kWeights / 16;
constexpr std::uint32_t kGroups32 = kWeights / 32;

/// Two bits of a weight in the order of Q2_K, Q3_K (low bits) and Q6_K (high bits).
template <std::uint32_t Offset>
BitRuns twoBits(std::uint32_t weight)
{
    return { bitsOf(Offset + 32 * (weight / 128) + weight % 32, 2 * (weight % 128 / 32), 2) };
}

/// Four bits of a weight in the order of Q4_K and Q5_K.
template <std::uint32_t Offset>
BitRuns fourBits(std::uint32_t weight)
{
    return { bitsOf(Offset + 32 * (weight / 64) + weight % 32, weight / 32 % 2 * 4, 4) };
}

/// The low four bits of a weight of Q6_K.
BitRuns lowBitsQ6_K(std::uint32_t weight)
{
    constexpr std::uint32_t kOffset = offsetof(BlockQ6_K, quants);
    const std::uint32_t quarter = weight % 128 / 32;
    return { bitsOf(kOffset + 64 * (weight / 128) + 32 * (quarter % 2) + weight % 32,
                    quarter / 2 * 4, 4) };
}

/// One bit of a weight: bit n of byte j for weight 32 n + j.
template <std::uint32_t Offset>
BitRuns oneBit(std::uint32_t weight)
{
    return { bitsOf(Offset + weight % 32, weight / 32, 1) };
}

template <std::uint32_t Offset, std::uint32_t Shift>
BitRuns nibble(std::uint32_t group)
{
    return { bitsOf(Offset + group, Shift, 4) };
}

/// The 6 bits of a sub-scale of Q3_K: as unpackScalesQ3K reads them.
BitRuns subScaleQ3_K(std::uint32_t group)
{
    constexpr std::uint32_t kOffset = offsetof(BlockQ3_K, scales);
    return { bitsOf(kOffset + group % 8, group < 8 ? 0 : 4, 4),
             bitsOf(kOffset + 8 + group % 4, 2 * (group / 4), 2) };
}

/// The 6 bits of a sub-scale (`Second` 0) or a sub-min (1) of Q4_K and Q5_K: as unpackScalesMins
/// reads them.
template <std::uint32_t Offset, std::uint32_t Second>
BitRuns packedSixBits(std::uint32_t group)
{
    if (group < 4) {
        return { bitsOf(Offset + 4 * Second + group, 0, 6) };
    }
    return { bitsOf(Offset + 4 + group, 4 * Second, 4),
             bitsOf(Offset + 4 * Second + group - 4, 6, 2) };
}

BitRuns subScaleQ6_K(std::uint32_t group)
{
    constexpr std::uint32_t kOffset = offsetof(BlockQ6_K, scales);
    return { bitsOf(kOffset + group, 0, 8) };
}

template <typename Block>
constexpr FieldGroup kScale { FieldKind::Scale, "d", 1, NumberForm::Half,
                              halfAt<offsetof(Block, scale)> };
template <typename Block>
constexpr FieldGroup kMin { FieldKind::Min, "dmin", 1, NumberForm::Half,
                            halfAt<offsetof(Block, min)> };
template <typename Block>
constexpr FieldGroup kSubScales { FieldKind::SubScale, "sc", kGroups32, NumberForm::Unsigned,
                                  packedSixBits<offsetof(Block, scales), 0> };
template <typename Block>
constexpr FieldGroup kSubMins { FieldKind::SubMin, "m", kGroups32, NumberForm::Unsigned,
                                packedSixBits<offsetof(Block, scales), 1> };

template <typename Block>
constexpr BlockMember kScaleMember { "d", offsetof(Block, scale), 2, 2 };
template <typename Block>
constexpr BlockMember kMinMember { "dmin", offsetof(Block, min), 2, 2 };
template <typename Block>
constexpr BlockMember kScalesMember { "scales", offsetof(Block, scales), sizeof(Block::scales) };
template <typename Block>
constexpr BlockMember kQuantsMember { "qs", offsetof(Block, quants), sizeof(Block::quants) };
template <typename Block>
constexpr BlockMember kHighMember { "qh", offsetof(Block, highBits), sizeof(Block::highBits) };

constexpr FieldGroup kGroupsQ2_K[] = {
    kScale<BlockQ2_K>,
    kMin<BlockQ2_K>,
    { FieldKind::SubScale, "sc", kGroups16, NumberForm::Unsigned,
      nibble<offsetof(BlockQ2_K, scales), 0> },
    { FieldKind::SubMin, "m", kGroups16, NumberForm::Unsigned,
      nibble<offsetof(BlockQ2_K, scales), 4> },
    { FieldKind::Quant, "q", kWeights, NumberForm::Unsigned, twoBits<offsetof(BlockQ2_K, quants)> },
};
constexpr BlockMember kMembersQ2_K[] = { kScalesMember<BlockQ2_K>, kQuantsMember<BlockQ2_K>,
                                         kScaleMember<BlockQ2_K>, kMinMember<BlockQ2_K> };

constexpr FieldGroup kGroupsQ3_K[] = {
    kScale<BlockQ3_K>,
    { FieldKind::SubScale, "sc", kGroups16, NumberForm::Unsigned, subScaleQ3_K },
    { FieldKind::Quant, "lo", kWeights, NumberForm::Unsigned,
      twoBits<offsetof(BlockQ3_K, quants)> },
    { FieldKind::HighBits, "hi", kWeights, NumberForm::Unsigned,
      oneBit<offsetof(BlockQ3_K, highMask)> },
};
constexpr BlockMember kMembersQ3_K[] = { { "hmask", offsetof(BlockQ3_K, highMask),
                                           sizeof(BlockQ3_K::highMask) },
                                         kQuantsMember<BlockQ3_K>,
                                         kScalesMember<BlockQ3_K>,
                                         kScaleMember<BlockQ3_K> };

constexpr FieldGroup kGroupsQ4_K[] = {
    kScale<BlockQ4_K>,
    kMin<BlockQ4_K>,
    kSubScales<BlockQ4_K>,
    kSubMins<BlockQ4_K>,
    { FieldKind::Quant, "q", kWeights, NumberForm::Unsigned,
      fourBits<offsetof(BlockQ4_K, quants)> },
};
constexpr BlockMember kMembersQ4_K[] = { kScaleMember<BlockQ4_K>, kMinMember<BlockQ4_K>,
                                         kScalesMember<BlockQ4_K>, kQuantsMember<BlockQ4_K> };

constexpr FieldGroup kGroupsQ5_K[] = {
    kScale<BlockQ5_K>,
    kMin<BlockQ5_K>,
    kSubScales<BlockQ5_K>,
    kSubMins<BlockQ5_K>,
    { FieldKind::Quant, "lo", kWeights, NumberForm::Unsigned,
      fourBits<offsetof(BlockQ5_K, quants)> },
    { FieldKind::HighBits, "hi", kWeights, NumberForm::Unsigned,
      oneBit<offsetof(BlockQ5_K, highBits)> },
};
constexpr BlockMember kMembersQ5_K[] = { kScaleMember<BlockQ5_K>, kMinMember<BlockQ5_K>,
                                         kScalesMember<BlockQ5_K>, kHighMember<BlockQ5_K>,
                                         kQuantsMember<BlockQ5_K> };

constexpr FieldGroup kGroupsQ6_K[] = {
    kScale<BlockQ6_K>,
    { FieldKind::SubScale, "sc", kGroups16, NumberForm::Signed, subScaleQ6_K },
    { FieldKind::Quant, "lo", kWeights, NumberForm::Unsigned, lowBitsQ6_K },
    { FieldKind::HighBits, "hi", kWeights, NumberForm::Unsigned,
      twoBits<offsetof(BlockQ6_K, highBits)> },
};
constexpr BlockMember kMembersQ6_K[] = { { "ql", offsetof(BlockQ6_K, quants),
                                           sizeof(BlockQ6_K::quants) },
                                         kHighMember<BlockQ6_K>,
                                         kScalesMember<BlockQ6_K>,
                                         kScaleMember<BlockQ6_K> };

constexpr std::string_view kScaleAndMin = "d · sc · q − dmin · m";

} // namespace

constinit const BlockLayout kLayoutQ2_K { kMembersQ2_K, kGroupsQ2_K, kScaleAndMin, {} };
constinit const BlockLayout kLayoutQ3_K { kMembersQ3_K, kGroupsQ3_K, "d · (sc − 32) · (q − 4)",
                                          "lo + 4 · hi" };
constinit const BlockLayout kLayoutQ4_K { kMembersQ4_K, kGroupsQ4_K, kScaleAndMin, {} };
constinit const BlockLayout kLayoutQ5_K { kMembersQ5_K, kGroupsQ5_K, kScaleAndMin, "lo + 16 · hi" };
constinit const BlockLayout kLayoutQ6_K { kMembersQ6_K, kGroupsQ6_K, "d · sc · (q − 32)",
                                          "lo + 16 · hi" };

} // namespace engine::quant
