// The tensor types of ggml: number in a file, name, block geometry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::gguf {

/// Numbers as in a GGUF tensor table (ggml_type). Source: ggml 0.27, research/gguf-files.md 3.4.
enum class TensorType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q8_1 = 9,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    Q8_K = 15,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    I8 = 24,
    I16 = 25,
    I32 = 26,
    I64 = 27,
    F64 = 28,
    IQ1_M = 29,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
    NVFP4 = 40,
    Q1_0 = 41,
    Q2_0 = 42,
};

/// Geometry of one tensor type.
struct TensorTypeInfo
{
    TensorType type;
    std::string_view name; ///< as ggml spells it: "Q4_K", "F16"
    std::uint32_t blockSize; ///< elements in a block
    std::uint32_t typeSize; ///< bytes of a block

    [[nodiscard]] constexpr double bitsPerWeight() const { return 8.0 * typeSize / blockSize; }
};

/// All known types in the order of their numbers.
[[nodiscard]] std::span<const TensorTypeInfo> tensorTypes();
/// Nothing for removed, foreign and unknown numbers.
[[nodiscard]] const TensorTypeInfo* tensorTypeInfo(std::uint32_t number);
[[nodiscard]] const TensorTypeInfo& tensorTypeInfo(TensorType type);
/// By name, case ignored.
[[nodiscard]] std::optional<TensorType> tensorTypeByName(std::string_view name);
/// The name of a number that ggml has removed (4 Q4_2, 31 Q4_0_4_4, …) or a fork uses (144 IQ4_KS
/// …); empty if neither.
[[nodiscard]] std::string_view formerTensorTypeName(std::uint32_t number);
/// How messages call a type: its name, or its number with the former or foreign name behind it.
[[nodiscard]] std::string tensorTypeLabel(std::uint32_t number);

} // namespace engine::gguf
