// Products of many rows by cooperative matrices, on devices that have them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/product.h"

#include <cstdint>

namespace engine::backend::vulkan {

/// Records a product as shaders/linear_matrix.comp computes it: weights and activations rounded to
/// halves, sums of floats. False, and nothing is recorded, where that is not wanted (activations as
/// floats, few rows) or not possible.
[[nodiscard]] bool recordByMatrices(Recording& recording, const Product& product);

/// Bytes that the products of a graph need between two dispatches, for up to `rows` rows.
[[nodiscard]] std::uint64_t matrixScratch(const Device& device, const model::Graph& graph,
                                          std::uint32_t rows);

} // namespace engine::backend::vulkan
