// The fields of Q4_0 to Q8_0 (legacy.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

constexpr std::uint32_t kWeights = kLegacyBlockSize;

/// Four bits of weight `weight` among the nibbles from byte `Quants`.
template <std::uint32_t Quants>
BitRuns nibble(std::uint32_t weight)
{
    return { bitsOf(Quants + weight % (kWeights / 2), weight < kWeights / 2 ? 0 : 4, 4) };
}

/// The fifth bit of weight `weight` in the word at byte `HighBits`.
template <std::uint32_t HighBits>
BitRuns fifthBit(std::uint32_t weight)
{
    return { bitsOf(HighBits, weight, 1) };
}

template <std::uint32_t Quants>
BitRuns byteOf(std::uint32_t weight)
{
    return { bitsOf(Quants + weight, 0, 8) };
}

template <typename Block>
constexpr FieldGroup kScale { FieldKind::Scale, "d", 1, NumberForm::Half,
                              halfAt<offsetof(Block, scale)> };
template <typename Block>
constexpr FieldGroup kMin { FieldKind::Min, "m", 1, NumberForm::Half,
                            halfAt<offsetof(Block, min)> };
template <typename Block>
constexpr FieldGroup kNibbles { FieldKind::Quant, "q", kWeights, NumberForm::Unsigned,
                                nibble<offsetof(Block, quants)> };
template <typename Block>
constexpr FieldGroup kLowBits { FieldKind::Quant, "lo", kWeights, NumberForm::Unsigned,
                                nibble<offsetof(Block, quants)> };
template <typename Block>
constexpr FieldGroup kHighBits { FieldKind::HighBits, "hi", kWeights, NumberForm::Unsigned,
                                 fifthBit<offsetof(Block, highBits)> };

template <typename Block>
constexpr BlockMember kScaleMember { "d", offsetof(Block, scale), 2, 2 };
template <typename Block>
constexpr BlockMember kMinMember { "m", offsetof(Block, min), 2, 2 };
template <typename Block>
constexpr BlockMember kHighMember { "qh", offsetof(Block, highBits), sizeof(Block::highBits) };
template <typename Block>
constexpr BlockMember kQuantsMember { "qs", offsetof(Block, quants), sizeof(Block::quants) };

constexpr BlockMember kMembersQ4_0[] = { kScaleMember<BlockQ4_0>, kQuantsMember<BlockQ4_0> };
constexpr FieldGroup kGroupsQ4_0[] = { kScale<BlockQ4_0>, kNibbles<BlockQ4_0> };

constexpr BlockMember kMembersQ4_1[] = { kScaleMember<BlockQ4_1>, kMinMember<BlockQ4_1>,
                                         kQuantsMember<BlockQ4_1> };
constexpr FieldGroup kGroupsQ4_1[] = { kScale<BlockQ4_1>, kMin<BlockQ4_1>, kNibbles<BlockQ4_1> };

constexpr BlockMember kMembersQ5_0[] = { kScaleMember<BlockQ5_0>, kHighMember<BlockQ5_0>,
                                         kQuantsMember<BlockQ5_0> };
constexpr FieldGroup kGroupsQ5_0[] = { kScale<BlockQ5_0>, kLowBits<BlockQ5_0>,
                                       kHighBits<BlockQ5_0> };

constexpr BlockMember kMembersQ5_1[] = { kScaleMember<BlockQ5_1>, kMinMember<BlockQ5_1>,
                                         kHighMember<BlockQ5_1>, kQuantsMember<BlockQ5_1> };
constexpr FieldGroup kGroupsQ5_1[] = { kScale<BlockQ5_1>, kMin<BlockQ5_1>, kLowBits<BlockQ5_1>,
                                       kHighBits<BlockQ5_1> };

constexpr BlockMember kMembersQ8_0[] = { kScaleMember<BlockQ8_0>, kQuantsMember<BlockQ8_0> };
constexpr FieldGroup kGroupsQ8_0[] = { kScale<BlockQ8_0>,
                                       { FieldKind::Quant, "q", kWeights, NumberForm::Signed,
                                         byteOf<offsetof(BlockQ8_0, quants)> } };

constexpr std::string_view kFiveBits = "lo + 16 · hi";

} // namespace

constinit const BlockLayout kLayoutQ4_0 { kMembersQ4_0, kGroupsQ4_0, "d · (q − 8)", {} };
constinit const BlockLayout kLayoutQ4_1 { kMembersQ4_1, kGroupsQ4_1, "d · q + m", {} };
constinit const BlockLayout kLayoutQ5_0 { kMembersQ5_0, kGroupsQ5_0, "d · (q − 16)", kFiveBits };
constinit const BlockLayout kLayoutQ5_1 { kMembersQ5_1, kGroupsQ5_1, "d · q + m", kFiveBits };
constinit const BlockLayout kLayoutQ8_0 { kMembersQ8_0, kGroupsQ8_0, "d · q", {} };

} // namespace engine::quant
