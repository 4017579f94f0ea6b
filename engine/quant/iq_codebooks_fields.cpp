// The fields of IQ1, IQ2 and IQ3 (iq_codebooks.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks_iq.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

constexpr std::uint32_t kWeights = kSuperBlockSize;
constexpr std::uint32_t kGroups4 = kWeights / 4;
constexpr std::uint32_t kGroups8 = kWeights / 8;
constexpr std::uint32_t kGroups16 = kWeights / 16;
constexpr std::uint32_t kGroups32 = kWeights / 32;

/// A weight of the pattern that an index chooses.
template <const auto& Codebook>
float patternWeight(std::uint64_t raw, std::uint32_t place)
{
    return static_cast<float>(gridWeight(Codebook.entries[raw], place));
}
template <const auto& Codebook>
constexpr Lookup kPattern { "grid[i]", patternWeight<Codebook> };

float signOf(std::uint64_t raw, std::uint32_t place)
{
    return (eightSigns(static_cast<std::uint32_t>(raw)) >> place & 1U) ? -1.0F : 1.0F;
}
constexpr Lookup kSign { "sign[s]", signOf };

// Every 32 weights of IQ2_XXS have four bytes of indices, then a word of signs and sub-scale.

BitRuns indexIQ2_XXS(std::uint32_t index)
{
    return { bitsOf(offsetof(BlockIQ2_XXS, words) + 8 * (index / 4) + index % 4, 0, 8) };
}

BitRuns indexIQ2_XS(std::uint32_t index)
{
    return { bitsOf(offsetof(BlockIQ2_XS, quants) + 2 * index, 0, 9) };
}

BitRuns signsIQ2_XS(std::uint32_t index)
{
    return { bitsOf(offsetof(BlockIQ2_XS, quants) + 2 * index, 9, 7) };
}

/// 7 bits of signs in words that are `Step` bytes apart.
template <std::uint32_t Offset, std::uint32_t Step>
BitRuns signsInWord(std::uint32_t index)
{
    return { bitsOf(Offset + Step * (index / 4), 7 * (index % 4), 7) };
}

/// The sub-scale on top of such a word.
template <std::uint32_t Offset, std::uint32_t Step>
BitRuns scaleInWord(std::uint32_t group)
{
    return { bitsOf(Offset + Step * group, 28, 4) };
}

template <std::uint32_t Offset>
BitRuns byteAt(std::uint32_t index)
{
    return { bitsOf(Offset + index, 0, 8) };
}

template <std::uint32_t Offset>
BitRuns bitAt(std::uint32_t index)
{
    return { bitsOf(Offset, index, 1) };
}

template <std::uint32_t Offset>
BitRuns nibble(std::uint32_t group)
{
    return { bitsOf(Offset, 4 * group, 4) };
}

/// An index whose lower 8 bits are a byte, the upper `High` bits one of the groups of `Step` bits.
template <typename Block, std::uint32_t High, std::uint32_t Step>
BitRuns splitIndex(std::uint32_t index)
{
    return { bitsOf(offsetof(Block, quants) + index, 0, 8),
             bitsOf(offsetof(Block, highBits), Step * index, High) };
}

BitRuns indexIQ1_S(std::uint32_t index)
{
    return { bitsOf(offsetof(BlockIQ1_S, quants) + index, 0, 8),
             bitsOf(offsetof(BlockIQ1_S, highBits) + 2 * (index / 4), 3 * (index % 4), 3) };
}

/// `Count` bits from bit `Shift` of the word of 32 weights.
template <std::uint32_t Shift, std::uint32_t Count>
BitRuns topOfWordIQ1_S(std::uint32_t group)
{
    return { bitsOf(offsetof(BlockIQ1_S, highBits) + 2 * group, Shift, Count) };
}

BitRuns shiftSignIQ1_M(std::uint32_t index)
{
    return { bitsOf(offsetof(BlockIQ1_M, highBits), 4 * index + 3, 1) };
}

BitRuns subScaleIQ1_M(std::uint32_t group)
{
    return { bitsOf(offsetof(BlockIQ1_M, scales) + 2 * (group / 4), 3 * (group % 4), 3) };
}

/// As scaleBitsOf reads them.
BitRuns scaleIQ1_M(std::uint32_t /*index*/)
{
    constexpr std::uint32_t kOffset = offsetof(BlockIQ1_M, scales);
    return { bitsOf(kOffset, 12, 4), bitsOf(kOffset + 2, 12, 4), bitsOf(kOffset + 4, 12, 4),
             bitsOf(kOffset + 6, 12, 4) };
}

template <typename Block>
constexpr FieldGroup kScale { FieldKind::Scale, "d", 1, NumberForm::Half,
                              halfAt<offsetof(Block, scale)> };
constexpr FieldGroup subScales(std::uint32_t count, BitRuns (*bits)(std::uint32_t))
{
    return { FieldKind::SubScale, "sc", count, NumberForm::Unsigned, bits };
}
constexpr FieldGroup indices(std::uint32_t count, BitRuns (*bits)(std::uint32_t),
                             const Lookup& codebook)
{
    return { FieldKind::Index, "i", count, NumberForm::Unsigned, bits, &codebook };
}
constexpr FieldGroup signs(std::uint32_t count, BitRuns (*bits)(std::uint32_t),
                           const Lookup* lookup = nullptr)
{
    return { FieldKind::Sign, "s", count, NumberForm::Unsigned, bits, lookup };
}

template <typename Block>
constexpr BlockMember kScaleMember { "d", offsetof(Block, scale), 2, 2 };
template <typename Block>
constexpr BlockMember kQuantsMember { "qs", offsetof(Block, quants), sizeof(Block::quants) };
template <typename Block>
constexpr BlockMember kHighMember { "qh", offsetof(Block, highBits), sizeof(Block::highBits) };
template <typename Block>
constexpr BlockMember kSignsMember { "signs", offsetof(Block, signs), sizeof(Block::signs) };
template <typename Block>
constexpr BlockMember kScalesMember { "scales", offsetof(Block, scales), sizeof(Block::scales) };

constexpr BlockMember kMembersIQ2_XXS[] = { kScaleMember<BlockIQ2_XXS>,
                                            { "qs", offsetof(BlockIQ2_XXS, words),
                                              sizeof(BlockIQ2_XXS::words), 2 } };
constexpr std::uint32_t kFirstWordIQ2_XXS = offsetof(BlockIQ2_XXS, words) + 4;
constexpr FieldGroup kGroupsIQ2_XXS[] = {
    kScale<BlockIQ2_XXS>,
    subScales(kGroups32, scaleInWord<kFirstWordIQ2_XXS, 8>),
    indices(kGroups8, indexIQ2_XXS, kPattern<kGridIQ2_XXS>),
    signs(kGroups8, signsInWord<kFirstWordIQ2_XXS, 8>, &kSign),
};

constexpr BlockMember kMembersIQ2_XS[] = {
    kScaleMember<BlockIQ2_XS>,
    { "qs", offsetof(BlockIQ2_XS, quants), sizeof(BlockIQ2_XS::quants), 2 },
    kScalesMember<BlockIQ2_XS>,
};
constexpr FieldGroup kGroupsIQ2_XS[] = {
    kScale<BlockIQ2_XS>,
    subScales(kGroups16, nibble<offsetof(BlockIQ2_XS, scales)>),
    indices(kGroups8, indexIQ2_XS, kPattern<kGridIQ2_XS>),
    signs(kGroups8, signsIQ2_XS, &kSign),
};

// In ggml the signs of IQ2_S are the second half of qs, and the words of IQ3_XXS its last third.
constexpr BlockMember kMembersIQ2_S[] = { kScaleMember<BlockIQ2_S>, kQuantsMember<BlockIQ2_S>,
                                          kSignsMember<BlockIQ2_S>, kHighMember<BlockIQ2_S>,
                                          kScalesMember<BlockIQ2_S> };
constexpr FieldGroup kGroupsIQ2_S[] = {
    kScale<BlockIQ2_S>,
    subScales(kGroups16, nibble<offsetof(BlockIQ2_S, scales)>),
    indices(kGroups8, splitIndex<BlockIQ2_S, 2, 2>, kPattern<kGridIQ2_S>),
    signs(kWeights, bitAt<offsetof(BlockIQ2_S, signs)>),
};

constexpr BlockMember kMembersIQ3_XXS[] = { kScaleMember<BlockIQ3_XXS>,
                                            kQuantsMember<BlockIQ3_XXS>,
                                            { "scales_and_signs", offsetof(BlockIQ3_XXS, words),
                                              sizeof(BlockIQ3_XXS::words), 4 } };
constexpr FieldGroup kGroupsIQ3_XXS[] = {
    kScale<BlockIQ3_XXS>,
    subScales(kGroups32, scaleInWord<offsetof(BlockIQ3_XXS, words), 4>),
    indices(kGroups4, byteAt<offsetof(BlockIQ3_XXS, quants)>, kPattern<kGridIQ3_XXS>),
    signs(kGroups8, signsInWord<offsetof(BlockIQ3_XXS, words), 4>, &kSign),
};

constexpr BlockMember kMembersIQ3_S[] = { kScaleMember<BlockIQ3_S>, kQuantsMember<BlockIQ3_S>,
                                          kHighMember<BlockIQ3_S>, kSignsMember<BlockIQ3_S>,
                                          kScalesMember<BlockIQ3_S> };
constexpr FieldGroup kGroupsIQ3_S[] = {
    kScale<BlockIQ3_S>,
    subScales(kGroups32, nibble<offsetof(BlockIQ3_S, scales)>),
    indices(kGroups4, splitIndex<BlockIQ3_S, 1, 1>, kPattern<kGridIQ3_S>),
    signs(kWeights, bitAt<offsetof(BlockIQ3_S, signs)>),
};

constexpr BlockMember kMembersIQ1_S[] = {
    kScaleMember<BlockIQ1_S>,
    kQuantsMember<BlockIQ1_S>,
    { "qh", offsetof(BlockIQ1_S, highBits), sizeof(BlockIQ1_S::highBits), 2 },
};
constexpr FieldGroup kGroupsIQ1_S[] = {
    kScale<BlockIQ1_S>,
    subScales(kGroups32, topOfWordIQ1_S<12, 3>),
    indices(kGroups8, indexIQ1_S, kPattern<kGridIQ1>),
    signs(kGroups32, topOfWordIQ1_S<15, 1>),
};

constexpr BlockMember kMembersIQ1_M[] = { kQuantsMember<BlockIQ1_M>, kHighMember<BlockIQ1_M>,
                                          kScalesMember<BlockIQ1_M> };
constexpr FieldGroup kGroupsIQ1_M[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, scaleIQ1_M },
    subScales(kGroups16, subScaleIQ1_M),
    indices(kGroups8, splitIndex<BlockIQ1_M, 3, 4>, kPattern<kGridIQ1>),
    signs(kGroups8, shiftSignIQ1_M),
};

constexpr std::string_view kIQ1 = "d · (2 · sc + 1) · (grid[i] + 0.125 · (1 − 2 · s))";
constexpr std::string_view kSevenSigns = "d · (0.5 + sc) · 0.25 · grid[i] · sign[s]";

} // namespace

constinit const BlockLayout kLayoutIQ1_S { kMembersIQ1_S, kGroupsIQ1_S, kIQ1, {} };
constinit const BlockLayout kLayoutIQ1_M { kMembersIQ1_M, kGroupsIQ1_M, kIQ1, {} };
constinit const BlockLayout kLayoutIQ2_XXS { kMembersIQ2_XXS, kGroupsIQ2_XXS, kSevenSigns, {} };
constinit const BlockLayout kLayoutIQ2_XS { kMembersIQ2_XS, kGroupsIQ2_XS, kSevenSigns, {} };
constinit const BlockLayout kLayoutIQ2_S {
    kMembersIQ2_S, kGroupsIQ2_S, "d · (0.5 + sc) · 0.25 · grid[i] · (1 − 2 · s)", {}
};
constinit const BlockLayout kLayoutIQ3_XXS {
    kMembersIQ3_XXS, kGroupsIQ3_XXS, "d · (0.5 + sc) · 0.5 · grid[i] · sign[s]", {}
};
constinit const BlockLayout kLayoutIQ3_S {
    kMembersIQ3_S, kGroupsIQ3_S, "d · (2 · sc + 1) · grid[i] · (1 − 2 · s)", {}
};

} // namespace engine::quant
