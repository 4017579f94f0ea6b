// The numbers of general.file_type: what a whole file calls itself, not a type of tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace engine::gguf {

/// Source: llama_ftype, research/gguf-files.md 3.5.
struct FileTypeInfo
{
    std::uint32_t number;
    std::string_view name; ///< "Q4_K_M"
    /// The tensor type that at least some tensors of such a file have; nothing for mixes that may
    /// do without any one type, and for removed types.
    std::optional<TensorType> mainType;
};

/// Nothing for unknown numbers. The flag 1024 ("guessed") is ignored.
[[nodiscard]] const FileTypeInfo* fileTypeInfo(std::uint64_t number);

} // namespace engine::gguf
