#include "engine/backend/vulkan/codebooks.h"

#include "engine/quant/iq_grids.h"

namespace engine::backend::vulkan {

std::span<const std::byte> codebookOf(gguf::TensorType type)
{
    using gguf::TensorType;
    const auto bytes = [](const auto& grid) { return std::as_bytes(std::span(grid.entries)); };
    switch (type) {
    case TensorType::IQ1_S:
    case TensorType::IQ1_M:
        return bytes(quant::kGridIQ1);
    case TensorType::IQ2_XXS:
        return bytes(quant::kGridIQ2_XXS);
    case TensorType::IQ2_XS:
        return bytes(quant::kGridIQ2_XS);
    case TensorType::IQ2_S:
        return bytes(quant::kGridIQ2_S);
    case TensorType::IQ3_XXS:
        return bytes(quant::kGridIQ3_XXS);
    case TensorType::IQ3_S:
        return bytes(quant::kGridIQ3_S);
    default:
        return {};
    }
}

} // namespace engine::backend::vulkan
