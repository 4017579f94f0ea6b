// Which tensor types shaders can read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"

#include <string_view>

namespace engine::backend::vulkan {

/// How shaders for a type are called: "q4_k" in "embed_q4_k". Empty where none reads it.
[[nodiscard]] std::string_view shaderSuffix(gguf::TensorType type);

} // namespace engine::backend::vulkan
