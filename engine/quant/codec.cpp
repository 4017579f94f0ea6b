#include "engine/quant/codec.h"

#include "engine/quant/families.h"

#include <algorithm>
#include <array>

namespace engine::quant {

namespace {

using gguf::TensorType;

constexpr std::array kCodecs {
    Codec { TensorType::F32, &kLayoutF32, decodeF32, encodeF32 },
    Codec { TensorType::F16, &kLayoutF16, decodeF16, encodeF16 },
    Codec { TensorType::Q4_0, &kLayoutQ4_0, decodeQ4_0, encodeQ4_0 },
    Codec { TensorType::Q4_1, &kLayoutQ4_1, decodeQ4_1, encodeQ4_1 },
    Codec { TensorType::Q5_0, &kLayoutQ5_0, decodeQ5_0, encodeQ5_0 },
    Codec { TensorType::Q5_1, &kLayoutQ5_1, decodeQ5_1, encodeQ5_1 },
    Codec { TensorType::Q8_0, &kLayoutQ8_0, decodeQ8_0, encodeQ8_0 },
    Codec { TensorType::Q8_1, &kLayoutQ8_1, decodeQ8_1, nullptr },
    Codec { TensorType::Q2_K, &kLayoutQ2_K, decodeQ2_K, nullptr },
    Codec { TensorType::Q3_K, &kLayoutQ3_K, decodeQ3_K, nullptr },
    Codec { TensorType::Q4_K, &kLayoutQ4_K, decodeQ4_K, nullptr },
    Codec { TensorType::Q5_K, &kLayoutQ5_K, decodeQ5_K, nullptr },
    Codec { TensorType::Q6_K, &kLayoutQ6_K, decodeQ6_K, nullptr },
    Codec { TensorType::Q8_K, &kLayoutQ8_K, decodeQ8_K, nullptr },
    Codec { TensorType::IQ2_XXS, &kLayoutIQ2_XXS, decodeIQ2_XXS, nullptr },
    Codec { TensorType::IQ2_XS, &kLayoutIQ2_XS, decodeIQ2_XS, nullptr },
    Codec { TensorType::IQ3_XXS, &kLayoutIQ3_XXS, decodeIQ3_XXS, nullptr },
    Codec { TensorType::IQ1_S, &kLayoutIQ1_S, decodeIQ1_S, nullptr },
    Codec { TensorType::IQ4_NL, &kLayoutIQ4_NL, decodeIQ4_NL, nullptr },
    Codec { TensorType::IQ3_S, &kLayoutIQ3_S, decodeIQ3_S, nullptr },
    Codec { TensorType::IQ2_S, &kLayoutIQ2_S, decodeIQ2_S, nullptr },
    Codec { TensorType::IQ4_XS, &kLayoutIQ4_XS, decodeIQ4_XS, nullptr },
    Codec { TensorType::I8, &kLayoutI8, decodeI8, nullptr },
    Codec { TensorType::I16, &kLayoutI16, decodeI16, nullptr },
    Codec { TensorType::I32, &kLayoutI32, decodeI32, nullptr },
    Codec { TensorType::I64, &kLayoutI64, decodeI64, nullptr },
    Codec { TensorType::F64, &kLayoutF64, decodeF64, nullptr },
    Codec { TensorType::IQ1_M, &kLayoutIQ1_M, decodeIQ1_M, nullptr },
    Codec { TensorType::BF16, &kLayoutBF16, decodeBF16, encodeBF16 },
    Codec { TensorType::TQ1_0, &kLayoutTQ1_0, decodeTQ1_0, nullptr },
    Codec { TensorType::TQ2_0, &kLayoutTQ2_0, decodeTQ2_0, nullptr },
    Codec { TensorType::MXFP4, &kLayoutMXFP4, decodeMXFP4, nullptr },
    Codec { TensorType::NVFP4, &kLayoutNVFP4, decodeNVFP4, nullptr },
    Codec { TensorType::Q1_0, &kLayoutQ1_0, decodeQ1_0, nullptr },
    Codec { TensorType::Q2_0, &kLayoutQ2_0, decodeQ2_0, nullptr },
};

} // namespace

const Codec* codec(TensorType type)
{
    const auto found = std::find_if(kCodecs.begin(), kCodecs.end(),
                                    [type](const Codec& entry) { return entry.type == type; });
    return found == kCodecs.end() ? nullptr : &*found;
}

std::span<const Codec> codecs()
{
    return kCodecs;
}

} // namespace engine::quant
