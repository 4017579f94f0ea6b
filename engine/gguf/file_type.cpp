#include "engine/gguf/file_type.h"

#include <algorithm>
#include <array>

namespace engine::gguf {

namespace {

using Type = TensorType;

constexpr auto kFileTypes = std::to_array<FileTypeInfo>({
    { 0, "F32", Type::F32 },
    { 1, "F16", Type::F16 },
    { 2, "Q4_0", Type::Q4_0 },
    { 3, "Q4_1", Type::Q4_1 },
    { 4, "Q4_1 with some F16", Type::Q4_1 },
    { 5, "Q4_2 (removed)", {} },
    { 6, "Q4_3 (removed)", {} },
    { 7, "Q8_0", Type::Q8_0 },
    { 8, "Q5_0", Type::Q5_0 },
    { 9, "Q5_1", Type::Q5_1 },
    { 10, "Q2_K", Type::Q2_K },
    { 11, "Q3_K_S", Type::Q3_K },
    { 12, "Q3_K_M", Type::Q3_K },
    { 13, "Q3_K_L", Type::Q3_K },
    { 14, "Q4_K_S", Type::Q4_K },
    { 15, "Q4_K_M", Type::Q4_K },
    { 16, "Q5_K_S", Type::Q5_K },
    { 17, "Q5_K_M", Type::Q5_K },
    { 18, "Q6_K", Type::Q6_K },
    { 19, "IQ2_XXS", Type::IQ2_XXS },
    { 20, "IQ2_XS", Type::IQ2_XS },
    { 21, "Q2_K_S", Type::Q2_K },
    { 22, "IQ3_XS", {} },
    { 23, "IQ3_XXS", Type::IQ3_XXS },
    { 24, "IQ1_S", Type::IQ1_S },
    { 25, "IQ4_NL", Type::IQ4_NL },
    { 26, "IQ3_S", Type::IQ3_S },
    { 27, "IQ3_M", {} },
    { 28, "IQ2_S", {} },
    { 29, "IQ2_M", {} },
    { 30, "IQ4_XS", Type::IQ4_XS },
    { 31, "IQ1_M", Type::IQ1_M },
    { 32, "BF16", Type::BF16 },
    { 33, "Q4_0_4_4 (removed)", {} },
    { 34, "Q4_0_4_8 (removed)", {} },
    { 35, "Q4_0_8_8 (removed)", {} },
    { 36, "TQ1_0", Type::TQ1_0 },
    { 37, "TQ2_0", Type::TQ2_0 },
    { 38, "MXFP4_MOE", Type::MXFP4 },
    { 39, "NVFP4", Type::NVFP4 },
    { 40, "Q1_0", Type::Q1_0 },
    { 41, "Q2_0", Type::Q2_0 },
});

} // namespace

const FileTypeInfo* fileTypeInfo(std::uint64_t number)
{
    constexpr std::uint64_t kGuessed = 1024;
    const auto* const found =
        std::ranges::find(kFileTypes, number & ~kGuessed, &FileTypeInfo::number);
    return found == kFileTypes.end() ? nullptr : found;
}

} // namespace engine::gguf
