// A graph cut into parts that different backends run one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace engine::backend {

/// Some consecutive nodes as a graph of its own. Slots, layers and states keep their numbers; those
/// that the part does not use take no memory.
struct GraphPart
{
    model::Graph graph; ///< `kept`: what it leaves for later parts
    bool onDevice = false;
    std::uint32_t blocks = 0; ///< blocks of the whole graph that begin in it
    std::vector<model::Slot> needs; ///< activations that earlier parts leave for it
    bool keepsOutputs = false; ///< after it the batch is only as long as its outputs
};

/// Gives a graph the slots, cache layers and states of some nodes of another, under their numbers;
/// what it does not have of the others takes no memory.
void takeMemory(const model::Graph& from, std::span<const model::Node> nodes, model::Graph& to);

/// Slots whose numbers the nodes from `first` on need of those before.
[[nodiscard]] std::set<model::Slot> neededFrom(const model::Graph& graph, std::size_t first);

/// Nodes that share a cache or a state must be in one part: where they are not, they and all
/// between them go to the CPU. `onDevice`: of each node.
void keepMemoryTogether(const model::Graph& graph, std::vector<bool>& onDevice);

/// Consecutive nodes that run on the same side, as many as there are.
struct NodeRun
{
    std::size_t first = 0;
    std::size_t last = 0; ///< behind it
    bool onDevice = false;
};

/// All of them, in order: each is a part.
[[nodiscard]] std::vector<NodeRun> nodeRuns(const std::vector<bool>& onDevice);

/// `onDevice`: of each node, after keepMemoryTogether.
[[nodiscard]] std::vector<GraphPart> splitGraph(const model::Graph& graph,
                                                const std::vector<bool>& onDevice);

} // namespace engine::backend
