// Which nodes of a graph a device does in one step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace engine::backend::vulkan {

/// Consecutive nodes that are recorded together.
struct Step
{
    std::size_t first = 0;
    std::size_t count = 1;
    std::function<void(Recording&)> record;
};

/// All nodes in order. Nodes are joined where the numbers between them are needed nowhere else: a
/// product and the addition of its result, two products and the gate that takes their results; or
/// where one dispatch does all: rotations and the store of keys. The graph must outlive the steps.
[[nodiscard]] std::vector<Step> steps(const model::Graph& graph);

} // namespace engine::backend::vulkan
