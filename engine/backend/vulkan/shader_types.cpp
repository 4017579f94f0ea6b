#include "engine/backend/vulkan/shader_types.h"

namespace engine::backend::vulkan {

using gguf::TensorType;

std::string_view shaderSuffix(TensorType type)
{
    switch (type) {
    case TensorType::F32:
        return "f32";
    case TensorType::F16:
        return "f16";
    case TensorType::BF16:
        return "bf16";
    case TensorType::Q4_0:
        return "q4_0";
    case TensorType::Q4_1:
        return "q4_1";
    case TensorType::Q5_0:
        return "q5_0";
    case TensorType::Q5_1:
        return "q5_1";
    case TensorType::Q8_0:
        return "q8_0";
    case TensorType::Q8_1:
        return "q8_1";
    case TensorType::Q2_K:
        return "q2_k";
    case TensorType::Q3_K:
        return "q3_k";
    case TensorType::Q4_K:
        return "q4_k";
    case TensorType::Q5_K:
        return "q5_k";
    case TensorType::Q6_K:
        return "q6_k";
    case TensorType::Q8_K:
        return "q8_k";
    case TensorType::IQ1_S:
        return "iq1_s";
    case TensorType::IQ1_M:
        return "iq1_m";
    case TensorType::IQ2_XXS:
        return "iq2_xxs";
    case TensorType::IQ2_XS:
        return "iq2_xs";
    case TensorType::IQ2_S:
        return "iq2_s";
    case TensorType::IQ3_XXS:
        return "iq3_xxs";
    case TensorType::IQ3_S:
        return "iq3_s";
    case TensorType::IQ4_NL:
        return "iq4_nl";
    case TensorType::IQ4_XS:
        return "iq4_xs";
    case TensorType::TQ1_0:
        return "tq1_0";
    case TensorType::TQ2_0:
        return "tq2_0";
    case TensorType::MXFP4:
        return "mxfp4";
    case TensorType::NVFP4:
        return "nvfp4";
    case TensorType::Q1_0:
        return "q1_0";
    case TensorType::Q2_0:
        return "q2_0";
    case TensorType::I8:
        return "i8";
    case TensorType::I16:
        return "i16";
    case TensorType::I32:
        return "i32";
    case TensorType::I64: // these two would need numbers of 64 bits
    case TensorType::F64:
        break;
    }
    return {};
}

} // namespace engine::backend::vulkan
