// The fields of MXFP4 and NVFP4 (fp4.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

float valueOf(std::uint64_t raw, std::uint32_t /*place*/)
{
    return static_cast<float>(kValuesFP4[raw]);
}
constexpr Lookup kValue { "value[q]", valueOf };

BitRuns exponent(std::uint32_t /*index*/)
{
    return { bitsOf(offsetof(BlockMXFP4, exponent), 0, 8) };
}

BitRuns groupScale(std::uint32_t group)
{
    return { bitsOf(offsetof(BlockNVFP4, scales) + group, 0, 8) };
}

/// The level of a weight among groups of 2 × `Bytes` weights with nibbles in `Bytes` bytes.
template <std::uint32_t Offset, std::uint32_t Bytes>
BitRuns nibble(std::uint32_t weight)
{
    const std::uint32_t group = weight / (2 * Bytes);
    return { bitsOf(Offset + Bytes * group + weight % Bytes, weight / Bytes % 2 * 4, 4) };
}

constexpr BlockMember kMembersMXFP4[] = {
    { "e", offsetof(BlockMXFP4, exponent), 1 },
    { "qs", offsetof(BlockMXFP4, quants), sizeof(BlockMXFP4::quants) },
};
constexpr FieldGroup kGroupsMXFP4[] = {
    { FieldKind::Scale, "d", 1, NumberForm::E8M0, exponent },
    { FieldKind::Quant, "q", BlockMXFP4::kSize, NumberForm::Unsigned,
      nibble<offsetof(BlockMXFP4, quants), 16>, &kValue },
};

constexpr BlockMember kMembersNVFP4[] = {
    { "d", offsetof(BlockNVFP4, scales), sizeof(BlockNVFP4::scales) },
    { "qs", offsetof(BlockNVFP4, quants), sizeof(BlockNVFP4::quants) },
};
constexpr FieldGroup kGroupsNVFP4[] = {
    { FieldKind::Scale, "d", 4, NumberForm::E4M3, groupScale },
    { FieldKind::Quant, "q", BlockNVFP4::kSize, NumberForm::Unsigned,
      nibble<offsetof(BlockNVFP4, quants), 8>, &kValue },
};

} // namespace

constinit const BlockLayout kLayoutMXFP4 { kMembersMXFP4, kGroupsMXFP4, "d · value[q]", {} };
constinit const BlockLayout kLayoutNVFP4 { kMembersNVFP4, kGroupsNVFP4, "d · value[q]", {} };

} // namespace engine::quant
