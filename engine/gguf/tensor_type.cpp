#include "engine/gguf/tensor_type.h"

#include <algorithm>
#include <array>

namespace engine::gguf {

namespace {

using enum TensorType;

constexpr auto kTypes = std::to_array<TensorTypeInfo>({
    { F32, "F32", 1, 4 },
    { F16, "F16", 1, 2 },
    { Q4_0, "Q4_0", 32, 18 },
    { Q4_1, "Q4_1", 32, 20 },
    { Q5_0, "Q5_0", 32, 22 },
    { Q5_1, "Q5_1", 32, 24 },
    { Q8_0, "Q8_0", 32, 34 },
    { Q8_1, "Q8_1", 32, 36 },
    { Q2_K, "Q2_K", 256, 84 },
    { Q3_K, "Q3_K", 256, 110 },
    { Q4_K, "Q4_K", 256, 144 },
    { Q5_K, "Q5_K", 256, 176 },
    { Q6_K, "Q6_K", 256, 210 },
    { Q8_K, "Q8_K", 256, 292 },
    { IQ2_XXS, "IQ2_XXS", 256, 66 },
    { IQ2_XS, "IQ2_XS", 256, 74 },
    { IQ3_XXS, "IQ3_XXS", 256, 98 },
    { IQ1_S, "IQ1_S", 256, 50 },
    { IQ4_NL, "IQ4_NL", 32, 18 },
    { IQ3_S, "IQ3_S", 256, 110 },
    { IQ2_S, "IQ2_S", 256, 82 },
    { IQ4_XS, "IQ4_XS", 256, 136 },
    { I8, "I8", 1, 1 },
    { I16, "I16", 1, 2 },
    { I32, "I32", 1, 4 },
    { I64, "I64", 1, 8 },
    { F64, "F64", 1, 8 },
    { IQ1_M, "IQ1_M", 256, 56 },
    { BF16, "BF16", 1, 2 },
    { TQ1_0, "TQ1_0", 256, 54 },
    { TQ2_0, "TQ2_0", 256, 66 },
    { MXFP4, "MXFP4", 32, 17 },
    { NVFP4, "NVFP4", 64, 36 },
    { Q1_0, "Q1_0", 128, 18 },
    { Q2_0, "Q2_0", 64, 18 },
});

constexpr std::uint32_t kTypeNumbers = 43;

/// Row of kTypes for every number; -1 for removed ones.
constexpr auto kRowOfNumber = [] {
    std::array<std::int8_t, kTypeNumbers> rows {};
    rows.fill(-1);
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        rows[static_cast<std::size_t>(kTypes[i].type)] = static_cast<std::int8_t>(i);
    }
    return rows;
}();

struct FormerType
{
    std::uint32_t number;
    std::string_view name;
};

// Removed from ggml; then the numbers of ik_llama.cpp (its ggml.h), those from 200 on for rows
// woven together.
constexpr auto kFormerTypes = std::to_array<FormerType>({
    { 4, "Q4_2" },
    { 5, "Q4_3" },
    { 31, "Q4_0_4_4" },
    { 32, "Q4_0_4_8" },
    { 33, "Q4_0_8_8" },
    { 36, "IQ4_NL_4_4" },
    { 37, "IQ4_NL_4_8" },
    { 38, "IQ4_NL_8_8" },
    { 133, "Q6_0 of ik_llama.cpp" },
    { 134, "IQ1_BN of ik_llama.cpp" },
    { 135, "IQ2_BN of ik_llama.cpp" },
    { 137, "IQ2_K of ik_llama.cpp" },
    { 138, "IQ3_K of ik_llama.cpp" },
    { 139, "IQ4_K of ik_llama.cpp" },
    { 140, "IQ5_K of ik_llama.cpp" },
    { 141, "IQ6_K of ik_llama.cpp" },
    { 144, "IQ4_KS of ik_llama.cpp" },
    { 145, "IQ2_KS of ik_llama.cpp" },
    { 146, "IQ4_KSS of ik_llama.cpp" },
    { 147, "Q8_K16 of ik_llama.cpp" },
    { 148, "Q8_K32 of ik_llama.cpp" },
    { 151, "Q8_KV of ik_llama.cpp" },
    { 152, "IQ5_KS of ik_llama.cpp" },
    { 153, "IQ2_KT of ik_llama.cpp" },
    { 154, "IQ3_KT of ik_llama.cpp" },
    { 155, "IQ4_KT of ik_llama.cpp" },
    { 156, "IQ3_KS of ik_llama.cpp" },
    { 157, "IQ2_KL of ik_llama.cpp" },
    { 158, "IQ1_KT of ik_llama.cpp" },
    { 202, "Q4_0_R8 of ik_llama.cpp" },
    { 206, "Q5_0_R4 of ik_llama.cpp" },
    { 208, "Q8_0_R8 of ik_llama.cpp" },
    { 210, "Q2_K_R4 of ik_llama.cpp" },
    { 211, "Q3_K_R4 of ik_llama.cpp" },
    { 212, "Q4_K_R4 of ik_llama.cpp" },
    { 213, "Q5_K_R4 of ik_llama.cpp" },
    { 214, "Q6_K_R4 of ik_llama.cpp" },
    { 216, "IQ2_XXS_R4 of ik_llama.cpp" },
    { 217, "IQ2_XS_R4 of ik_llama.cpp" },
    { 218, "IQ3_XXS_R4 of ik_llama.cpp" },
    { 219, "IQ1_S_R4 of ik_llama.cpp" },
    { 220, "IQ4_NL_R4 of ik_llama.cpp" },
    { 221, "IQ3_S_R4 of ik_llama.cpp" },
    { 222, "IQ2_S_R4 of ik_llama.cpp" },
    { 223, "IQ4_XS_R8 of ik_llama.cpp" },
    { 229, "IQ1_M_R4 of ik_llama.cpp" },
    { 230, "BF16_R16 of ik_llama.cpp" },
    { 233, "Q6_0_R4 of ik_llama.cpp" },
    { 335, "IQ2_BN_R4 of ik_llama.cpp" },
    { 337, "IQ2_K_R4 of ik_llama.cpp" },
    { 338, "IQ3_K_R4 of ik_llama.cpp" },
    { 339, "IQ4_K_R4 of ik_llama.cpp" },
    { 340, "IQ5_K_R4 of ik_llama.cpp" },
    { 344, "IQ4_KS_R4 of ik_llama.cpp" },
    { 352, "IQ5_KS_R4 of ik_llama.cpp" },
    { 397, "Q8_K_R16 of ik_llama.cpp" },
    { 398, "Q8_KV_R8 of ik_llama.cpp" },
    { 399, "Q8_K_R8 of ik_llama.cpp" },
});

/// The numbers that ik_llama.cpp keeps to itself, named above or not.
constexpr bool isOfIkLlama(std::uint32_t number)
{
    return (number >= 97 && number <= 99) || (number >= 133 && number <= 158)
        || (number >= 202 && number <= 399);
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::span<const TensorTypeInfo> tensorTypes()
{
    return kTypes;
}

const TensorTypeInfo* tensorTypeInfo(std::uint32_t number)
{
    if (number >= kTypeNumbers || kRowOfNumber[number] < 0) {
        return nullptr;
    }
    return &kTypes[static_cast<std::size_t>(kRowOfNumber[number])];
}

const TensorTypeInfo& tensorTypeInfo(TensorType type)
{
    return kTypes[static_cast<std::size_t>(kRowOfNumber[static_cast<std::uint32_t>(type)])];
}

std::optional<TensorType> tensorTypeByName(std::string_view name)
{
    for (const TensorTypeInfo& info : kTypes) {
        if (std::ranges::equal(info.name, name, {}, lower, lower)) {
            return info.type;
        }
    }
    return std::nullopt;
}

std::string_view formerTensorTypeName(std::uint32_t number)
{
    const auto* found = std::ranges::find(kFormerTypes, number, &FormerType::number);
    if (found != kFormerTypes.end()) {
        return found->name;
    }
    return isOfIkLlama(number) ? "a type of ik_llama.cpp" : std::string_view();
}

std::string tensorTypeLabel(std::uint32_t number)
{
    if (const auto* info = tensorTypeInfo(number)) {
        return std::string(info->name);
    }
    const auto former = formerTensorTypeName(number);
    return std::to_string(number) + (former.empty() ? "" : " (" + std::string(former) + ")");
}

} // namespace engine::gguf
