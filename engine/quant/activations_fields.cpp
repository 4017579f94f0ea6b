// The fields of Q8_1 and Q8_K (activations.cpp decodes them).
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks.h"
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

/// Number `index` of an array of `Bytes` bytes each.
template <std::uint32_t Offset, std::uint32_t Bytes>
BitRuns numberAt(std::uint32_t index)
{
    return { bitsOf(Offset + Bytes * index, 0, 8 * Bytes) };
}

constexpr BlockMember kMembersQ8_1[] = { { "d", offsetof(BlockQ8_1, scale), 2, 2 },
                                         { "s", offsetof(BlockQ8_1, sum), 2, 2 },
                                         { "qs", offsetof(BlockQ8_1, quants),
                                           sizeof(BlockQ8_1::quants) } };
constexpr FieldGroup kGroupsQ8_1[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Half, halfAt<offsetof(BlockQ8_1, scale)> },
    { FieldKind::Sum, "s", 1, NumberForm::Half, halfAt<offsetof(BlockQ8_1, sum)> },
    { FieldKind::Quant, "q", kLegacyBlockSize, NumberForm::Signed,
      numberAt<offsetof(BlockQ8_1, quants), 1> },
};

constexpr std::uint32_t kSums = kSuperBlockSize / 16;
constexpr BlockMember kMembersQ8_K[] = {
    { "d", offsetof(BlockQ8_K, scale), 4, 4 },
    { "qs", offsetof(BlockQ8_K, quants), sizeof(BlockQ8_K::quants) },
    { "bsums", offsetof(BlockQ8_K, sums), sizeof(BlockQ8_K::sums), 2 },
};
constexpr FieldGroup kGroupsQ8_K[] = {
    { FieldKind::Scale, "d", 1, NumberForm::Float, floatAt<offsetof(BlockQ8_K, scale)> },
    { FieldKind::Quant, "q", kSuperBlockSize, NumberForm::Signed,
      numberAt<offsetof(BlockQ8_K, quants), 1> },
    { FieldKind::Sum, "s", kSums, NumberForm::Signed, numberAt<offsetof(BlockQ8_K, sums), 2> },
};

} // namespace

constinit const BlockLayout kLayoutQ8_1 { kMembersQ8_1, kGroupsQ8_1, "d · q", {} };
constinit const BlockLayout kLayoutQ8_K { kMembersQ8_K, kGroupsQ8_K, "d · q", {} };

} // namespace engine::quant
