// The fields of TQ1_0 and TQ2_0 (ternary.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"
#include "engine/quant/ternary.h"

namespace engine::quant {

namespace {

/// A byte of digits.
BitRuns digits(std::uint32_t index)
{
    return { bitsOf(index, 0, 8) };
}

WeightRange weightsOfDigits(std::uint32_t index)
{
    if (index < 32) {
        return { index, 5, 32 };
    }
    if (index < 48) {
        return { 160 + index - 32, 5, 16 };
    }
    return { 240 + index - 48, 4, 4 };
}

float digitOf(std::uint64_t raw, std::uint32_t place)
{
    return static_cast<float>(ternaryDigit(static_cast<std::uint8_t>(raw), place));
}
constexpr Lookup kDigit { "digit[t]", digitOf };

BitRuns twoBits(std::uint32_t weight)
{
    return { bitsOf(32 * (weight / 128) + weight % 32, 2 * (weight % 128 / 32), 2) };
}

constexpr BlockMember kMembersTQ1_0[] = {
    { "qs", offsetof(BlockTQ1_0, quants), sizeof(BlockTQ1_0::quants) },
    { "qh", offsetof(BlockTQ1_0, highBits), sizeof(BlockTQ1_0::highBits) },
    { "d", offsetof(BlockTQ1_0, scale), 2, 2 },
};
constexpr FieldGroup kGroupsTQ1_0[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(BlockTQ1_0, scale)> },
    { FieldKind::Quant, "t", offsetof(BlockTQ1_0, scale), NumberForm::Unsigned, digits, &kDigit,
      weightsOfDigits },
};

constexpr BlockMember kMembersTQ2_0[] = {
    { "qs", offsetof(BlockTQ2_0, quants), sizeof(BlockTQ2_0::quants) },
    { "d", offsetof(BlockTQ2_0, scale), 2, 2 },
};
constexpr FieldGroup kGroupsTQ2_0[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(BlockTQ2_0, scale)> },
    { FieldKind::Quant, "q", BlockTQ2_0::kSize, NumberForm::Unsigned, twoBits },
};

} // namespace

constinit const BlockLayout kLayoutTQ1_0 { kMembersTQ1_0, kGroupsTQ1_0, "d · (digit[t] − 1)", {} };
constinit const BlockLayout kLayoutTQ2_0 { kMembersTQ2_0, kGroupsTQ2_0, "d · (q − 1)", {} };

} // namespace engine::quant
