// A tensor of a file that can be decoded: its type, codec and bytes, checked against its shape.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/quant/codec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace engine::eval {

/// What a decoder needs of one tensor. Valid as long as the file lives.
struct DecodableTensor
{
    const gguf::TensorTypeInfo* type;
    const quant::Codec* codec;
    std::span<const std::byte> data; ///< exactly blocks × type size
    std::uint64_t blocks; ///< of the whole tensor
    std::uint64_t blocksPerRow;
    std::uint64_t rows;
};

/// Errors: GgufBigEndian, TensorNotDecodable (names the type), GgufTensorRow, TensorDataIncomplete;
/// the subject is the tensor.
[[nodiscard]] Result<DecodableTensor> decodableTensor(const gguf::GgufFile& file,
                                                      const gguf::TensorInfo& tensor);

/// The place of an error about this tensor: file, start of its data, name.
[[nodiscard]] Where placeOf(const gguf::GgufFile& file, const gguf::TensorInfo& tensor);

} // namespace engine::eval
