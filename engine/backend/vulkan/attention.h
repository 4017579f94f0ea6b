// How attention is spread over workgroups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"
#include "engine/model/graph.h"

#include <cstdint>

namespace engine::backend::vulkan {

struct AttentionPlan
{
    std::uint32_t groupSize = 1;
    std::uint32_t heads = 1; ///< of a key/value head's group that a workgroup takes
    std::uint32_t rows = 1; ///< that a workgroup takes
    std::uint32_t steps = 1; ///< keys that an invocation takes at once
    std::uint32_t slices = 1; ///< invocations that share a piece of the values
    std::uint32_t parts = 1; ///< workgroups that share the positions
};

/// `rows` of a batch at any position of the context.
[[nodiscard]] AttentionPlan attentionPlan(const Device& device, const model::op::Attention& op,
                                          const model::KvLayer& layer, std::uint32_t rows,
                                          std::uint32_t contextLength);
/// Bytes that the attention of a graph needs between two dispatches.
[[nodiscard]] std::uint64_t attentionScratch(const Device& device, const model::Graph& graph,
                                             std::uint32_t contextLength);

} // namespace engine::backend::vulkan
