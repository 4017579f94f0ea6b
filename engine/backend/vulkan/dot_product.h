// Products of many tokens by integer dot products, on GPUs that have them and no matrices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/product.h"

#include <cstdint>

namespace engine::backend::vulkan {

/// Records a product as shaders/linear_dot.comp computes it: activations rounded to signed bytes,
/// each 32 of them with a scale, sums of floats. False, and nothing is recorded, where that is not
/// wanted (activations as floats, few tokens) or not possible.
[[nodiscard]] bool recordByDots(Recording& recording, const Product& product);

/// Bytes that the products of a graph need between two dispatches, for up to `rows` rows.
[[nodiscard]] std::uint64_t dotScratch(const Device& device, const model::Graph& graph,
                                       std::uint32_t rows);

} // namespace engine::backend::vulkan
