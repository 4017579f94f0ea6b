// Which bytes of the process the weights of nodes are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <cstddef>
#include <set>
#include <span>
#include <vector>

namespace engine::backend::vulkan {

struct WeightSpans
{
    /// By address, without overlap: matrices that share bytes (rows of a fused one, a tied output)
    /// are one.
    std::vector<std::span<const std::byte>> matrices;
    std::vector<std::span<const float>> vectors; ///< by address, one at each
    std::set<gguf::TensorType> types; ///< of matrices
};

/// Of some nodes of a graph. Valid as long as its model.
[[nodiscard]] WeightSpans weightSpans(std::span<const model::Node> nodes);

} // namespace engine::backend::vulkan
