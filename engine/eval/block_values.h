// Blocks of a tensor: where they lie in the file, their bytes, the values they stand for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::eval {

/// One block, or successive ones of a row. `bytes` lie in the file's map and are valid as long as
/// the file lives.
struct BlockValues
{
    std::uint64_t offset = 0; ///< of the first byte in the file
    std::uint64_t column = 0; ///< of the first value in its row
    std::span<const std::byte> bytes;
    std::vector<float> values; ///< one per element of the blocks
};

/// Blocks in each row of `tensor` (a plain number is a block of its own).
/// Errors: those of decodableTensor.
[[nodiscard]] Result<std::uint64_t> blocksPerRow(const gguf::GgufFile& file,
                                                 const gguf::TensorInfo& tensor);

/// `count` blocks of row `row` from block `block` on, both counted from 0; fewer where the row
/// ends. Rows count through all dimensions above the first. `tensor` has to be one of `file`.
/// Errors: those of decodableTensor, TensorEmpty, TensorRowRange and TensorBlockRange (both say
/// what is allowed), FileChanged.
[[nodiscard]] Result<BlockValues> blockValues(const gguf::GgufFile& file,
                                              const gguf::TensorInfo& tensor, std::uint64_t row,
                                              std::uint64_t block, std::uint64_t count = 1);

} // namespace engine::eval
