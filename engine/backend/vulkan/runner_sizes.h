// What memory a runner takes beside weights, cache and states: for who takes it and who plans it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/offload.h"
#include "engine/backend/vulkan/device.h"

#include <cstdint>
#include <vector>

namespace engine::backend::vulkan {

/// Words before the tokens of a batch: the position and how many rows there are.
inline constexpr std::uint32_t kHeaderWords = 4;

/// Of the longest runs.
struct RunnerRows
{
    std::uint32_t all = 1;
    std::uint32_t logits = 1; ///< where logits of every row are wanted
};

/// For runs that need not be longer than `batchLength`.
[[nodiscard]] RunnerRows runnerRows(const Device& device, const model::Graph& graph,
                                    std::uint32_t batchLength);

/// Bytes of each slot.
[[nodiscard]] std::vector<std::uint64_t> slotBytes(const model::Graph& graph,
                                                   const RunnerRows& rows);
/// Bytes of the logits as the CPU reads them.
[[nodiscard]] std::uint64_t readbackBytes(const model::Graph& graph, const RunnerRows& rows);
/// The rotations of a graph, each once.
[[nodiscard]] std::vector<const model::RopeParameters*> ropesOf(const model::Graph& graph);
/// Bytes of the header with the tokens (see include/batch.glsl), then of each rope's table.
[[nodiscard]] std::vector<std::uint64_t> batchBytes(const model::Graph& graph,
                                                    const RunnerRows& rows);
/// Bytes between the dispatches of one op, of whichever op needs most.
[[nodiscard]] std::uint64_t scratchBytes(const Device& device, const model::Graph& graph,
                                         std::uint32_t contextLength, const RunnerRows& rows);

/// All of them for a plan, whatever the length of the context.
[[nodiscard]] MemoryLayout memoryLayout(const Device& device, const model::Graph& graph,
                                        std::uint32_t batchLength);

} // namespace engine::backend::vulkan
