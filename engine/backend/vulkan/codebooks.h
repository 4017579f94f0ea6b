// The codebooks of tensor types as bytes for shaders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <span>

namespace engine::backend::vulkan {

/// What the indices of a type choose from (see quant/iq_grids.h), one entry behind the other; empty
/// for types without.
[[nodiscard]] std::span<const std::byte> codebookOf(gguf::TensorType type);

} // namespace engine::backend::vulkan
