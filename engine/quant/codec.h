// Decoding and encoding by tensor type: one table for the engine, the explorer and the tools.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace engine::quant {

/// Decodes `blocks` blocks from `source` to blocks × blockSize floats.
using DecodeFunction = void (*)(const std::byte* source, float* values, std::size_t blocks);
/// Encodes blocks × blockSize floats to `blocks` blocks.
using EncodeFunction = void (*)(const float* values, std::byte* target, std::size_t blocks);

struct BlockLayout;

/// What can be done with one tensor type.
struct Codec
{
    gguf::TensorType type;
    const BlockLayout* layout =
        nullptr; ///< always set for a listed codec; what block_fields.h reads
    DecodeFunction decode =
        nullptr; ///< always set for a listed codec; the scalar reference of all kernels
    EncodeFunction encode = nullptr; ///< null where we cannot write the type
};

/// Null for types that this engine cannot decode.
[[nodiscard]] const Codec* codec(gguf::TensorType type);
[[nodiscard]] std::span<const Codec> codecs();

/// Scalar half precision, exact (IEEE binary16; subnormals, infinities and NaN kept). Encoding
/// rounds to nearest even.
[[nodiscard]] float halfToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToHalf(float value);
/// bfloat16: the upper half of a float. Encoding rounds to nearest even; NaN is kept quiet.
[[nodiscard]] float bfloatToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToBfloat(float value);

} // namespace engine::quant
