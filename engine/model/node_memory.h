// What an op keeps from run to run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <compare>
#include <cstdint>
#include <optional>

namespace engine::model {

/// A layer of the cache, or a recurrent state.
struct NodeMemory
{
    bool isState = false;
    std::uint32_t index = 0; ///< in Graph::states, or in Graph::kv
    auto operator<=>(const NodeMemory&) const = default;
};

/// What a node reads or writes of it; nothing for most.
[[nodiscard]] inline std::optional<NodeMemory> memoryOf(const Node& node)
{
    if (const auto* store = std::get_if<op::StoreKv>(&node)) {
        return NodeMemory { false, store->layer };
    }
    if (const auto* attention = std::get_if<op::Attention>(&node)) {
        return NodeMemory { false, attention->layer };
    }
    if (const auto* conv = std::get_if<op::ShortConv>(&node)) {
        return NodeMemory { true, conv->state };
    }
    if (const auto* delta = std::get_if<op::GatedDelta>(&node)) {
        return NodeMemory { true, delta->state };
    }
    if (const auto* scan = std::get_if<op::StateScan>(&node)) {
        return NodeMemory { true, scan->state };
    }
    return std::nullopt;
}

} // namespace engine::model
