// Which blocks of a model run on a device, and what memory they take there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace engine::backend {

/// Bytes of one graph, by what stays together.
struct OffloadNeeds
{
    /// Weights, cache and states of each block; the last one has what makes logits.
    std::vector<std::uint64_t> blocks;
    std::uint64_t input = 0; ///< weights before the first block
    std::uint64_t scratch = 0; ///< activations, logits and the like, however many blocks
    std::uint64_t crossing = 0; ///< activations on their way from or to the CPU's blocks

    /// Without weights, caches and states.
    [[nodiscard]] std::uint64_t scratchBytes(std::uint32_t count) const
    {
        return scratch + (count < blocks.size() ? crossing : 0);
    }
    /// With the last `count` blocks on the device; all of them bring the input along.
    [[nodiscard]] std::uint64_t deviceBytes(std::uint32_t count) const;
};

/// How a device keeps what it needs of a model.
struct MemoryLayout
{
    std::uint64_t alignment = 1; ///< of whatever it keeps
    std::uint64_t overread = 0; ///< bytes behind each matrix
    std::uint32_t padding = 1; ///< a position's keys and values are made multiples of it
    bool copiesStates = false; ///< has room for each state twice
    std::uint64_t scratch = 0; ///< see OffloadNeeds
    std::uint64_t crossing = 0; ///< as there
};

[[nodiscard]] OffloadNeeds offloadNeeds(const model::Graph& graph, const RunnerOptions& options,
                                        const MemoryLayout& layout);
/// Of a device that needs nothing besides. `rows`: of the longest run there.
[[nodiscard]] OffloadNeeds offloadNeeds(const model::Graph& graph, const RunnerOptions& options,
                                        std::uint32_t rows);

/// Of the bytes that `count` blocks need, those that are on the device already.
using BytesThere = std::function<std::uint64_t(std::uint32_t count)>;

/// The most blocks of which what is not there yet is within the budget.
[[nodiscard]] std::uint32_t fittingBlocks(const OffloadNeeds& needs, std::uint64_t budget,
                                          const BytesThere& there = {});

/// Types of the graph's matrices that devices have no shader for, each once: blocks with one of
/// them stay on the CPU.
[[nodiscard]] std::vector<gguf::TensorType> typesWithoutShader(const model::Graph& graph);

/// For each node whether it runs on the device: those of the last `count` blocks, but no block with
/// a node that `canRun` denies, and what shares a cache with those on the CPU.
[[nodiscard]] std::vector<bool> deviceNodes(const model::Graph& graph, std::uint32_t count,
                                            const std::function<bool(const model::Node&)>& canRun);

} // namespace engine::backend
