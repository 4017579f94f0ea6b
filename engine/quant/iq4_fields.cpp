// The fields of IQ4_NL and IQ4_XS (iq4.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks_iq.h"
#include "engine/quant/families.h"
#include "engine/quant/iq_grids.h"

namespace engine::quant {

namespace {

float valueOf(std::uint64_t raw, std::uint32_t /*place*/)
{
    return static_cast<float>(kValuesIQ4[raw]);
}
constexpr Lookup kValue { "value[q]", valueOf };

/// The level of a weight; 32 weights have their nibbles in 16 bytes.
template <std::uint32_t Offset>
BitRuns nibble(std::uint32_t weight)
{
    return { bitsOf(Offset + 16 * (weight / 32) + weight % 16, weight / 16 % 2 * 4, 4) };
}

/// The 6 bits of a sub-scale: as subScaleOf reads them.
BitRuns subScale(std::uint32_t group)
{
    return { bitsOf(offsetof(BlockIQ4_XS, scalesLow) + group / 2, group % 2 * 4, 4),
             bitsOf(offsetof(BlockIQ4_XS, scalesHigh), 2 * group, 2) };
}

constexpr BlockMember kMembersIQ4_NL[] = {
    { "d", offsetof(BlockIQ4_NL, scale), 2, 2 },
    { "qs", offsetof(BlockIQ4_NL, quants), sizeof(BlockIQ4_NL::quants) },
};
constexpr FieldGroup kGroupsIQ4_NL[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(BlockIQ4_NL, scale)> },
    { FieldKind::Quant, "q", BlockIQ4_NL::kSize, NumberForm::Unsigned,
      nibble<offsetof(BlockIQ4_NL, quants)>, &kValue },
};

constexpr BlockMember kMembersIQ4_XS[] = {
    { "d", offsetof(BlockIQ4_XS, scale), 2, 2 },
    { "scales_h", offsetof(BlockIQ4_XS, scalesHigh), 2, 2 },
    { "scales_l", offsetof(BlockIQ4_XS, scalesLow), sizeof(BlockIQ4_XS::scalesLow) },
    { "qs", offsetof(BlockIQ4_XS, quants), sizeof(BlockIQ4_XS::quants) },
};
constexpr FieldGroup kGroupsIQ4_XS[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(BlockIQ4_XS, scale)> },
    { FieldKind::SubScale, "sc", 8, NumberForm::Unsigned, subScale },
    { FieldKind::Quant, "q", BlockIQ4_XS::kSize, NumberForm::Unsigned,
      nibble<offsetof(BlockIQ4_XS, quants)>, &kValue },
};

} // namespace

constinit const BlockLayout kLayoutIQ4_NL { kMembersIQ4_NL, kGroupsIQ4_NL, "d · value[q]", {} };
constinit const BlockLayout kLayoutIQ4_XS {
    kMembersIQ4_XS, kGroupsIQ4_XS, "d · (sc − 32) · value[q]", {}
};

} // namespace engine::quant
