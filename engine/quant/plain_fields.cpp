// The one field of the plain types: the number itself.
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/families.h"

namespace engine::quant {

namespace {

constexpr std::string_view kSymbol = "x";

template <std::uint32_t Bytes>
constexpr BlockMember kMembers[] = { { kSymbol, 0, Bytes, Bytes } };

template <NumberForm Form, std::uint32_t Bytes>
constexpr FieldGroup kGroups[] = { { FieldKind::Number, kSymbol, 1, Form, [](std::uint32_t) {
                                        return BitRuns { { 0, 8 * Bytes } };
                                    } } };

template <NumberForm Form, std::uint32_t Bytes>
constexpr BlockLayout kLayout { kMembers<Bytes>, kGroups<Form, Bytes>, kSymbol, {} };

} // namespace

constinit const BlockLayout kLayoutF64 = kLayout<NumberForm::Double, 8>;
constinit const BlockLayout kLayoutF32 = kLayout<NumberForm::Float, 4>;
constinit const BlockLayout kLayoutF16 = kLayout<NumberForm::Half, 2>;
constinit const BlockLayout kLayoutBF16 = kLayout<NumberForm::Bfloat, 2>;
constinit const BlockLayout kLayoutI8 = kLayout<NumberForm::Signed, 1>;
constinit const BlockLayout kLayoutI16 = kLayout<NumberForm::Signed, 2>;
constinit const BlockLayout kLayoutI32 = kLayout<NumberForm::Signed, 4>;
constinit const BlockLayout kLayoutI64 = kLayout<NumberForm::Signed, 8>;

} // namespace engine::quant
