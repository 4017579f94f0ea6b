#include "engine/backend/graph_parts.h"

#include "engine/model/node_slots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace engine::backend {

namespace {

using Slots = std::set<model::Slot>;

/// Slots whose old numbers matter to the nodes [first, last).
Slots neededBy(const model::Graph& graph, std::size_t first, std::size_t last)
{
    Slots needed;
    Slots written;
    for (auto i = first; i < last; ++i) {
        model::forEachSlot(graph.nodes[i], [&](model::Slot slot, model::SlotAccess access) {
            if (access == model::SlotAccess::Write) {
                written.insert(slot);
            } else if (!written.contains(slot)) {
                needed.insert(slot);
            }
        });
    }
    if (last == graph.nodes.size() && !written.contains(graph.logits)) {
        needed.insert(graph.logits);
    }
    return needed;
}

Slots writtenBy(const model::Graph& graph, std::size_t first, std::size_t last)
{
    Slots written;
    for (auto i = first; i < last; ++i) {
        model::forEachSlot(graph.nodes[i], [&](model::Slot slot, model::SlotAccess access) {
            if (access != model::SlotAccess::Read) {
                written.insert(slot);
            }
        });
    }
    return written;
}

/// What a node keeps between runs: the layer of a cache, or a state.
struct Memory
{
    bool isState = false;
    std::uint32_t index = 0;
    auto operator<=>(const Memory&) const = default;
};

std::optional<Memory> memoryOf(const model::Node& node)
{
    if (const auto* store = std::get_if<model::op::StoreKv>(&node)) {
        return Memory { false, store->layer };
    }
    if (const auto* attention = std::get_if<model::op::Attention>(&node)) {
        return Memory { false, attention->layer };
    }
    if (const auto* conv = std::get_if<model::op::ShortConv>(&node)) {
        return Memory { true, conv->state };
    }
    if (const auto* delta = std::get_if<model::op::GatedDelta>(&node)) {
        return Memory { true, delta->state };
    }
    if (const auto* scan = std::get_if<model::op::StateScan>(&node)) {
        return Memory { true, scan->state };
    }
    return std::nullopt;
}

GraphPart partOf(const model::Graph& graph, std::size_t first, std::size_t last)
{
    GraphPart part;
    part.graph.slotWidths.assign(graph.slotWidths.size(), 0);
    part.graph.kv.layers.resize(graph.kv.layers.size());
    part.graph.states.assign(graph.states.size(), 0);
    part.graph.logits = graph.logits;
    for (auto i = first; i < last; ++i) {
        const auto& node = graph.nodes[i];
        part.graph.nodes.push_back(node);
        if (const auto memory = memoryOf(node); memory && memory->isState) {
            part.graph.states[memory->index] = graph.states[memory->index];
        } else if (memory) {
            part.graph.kv.layers[memory->index] = graph.kv.layers[memory->index];
        }
        part.keepsOutputs =
            part.keepsOutputs || std::holds_alternative<model::op::KeepOutputs>(node);
        model::forEachSlot(node, [&](model::Slot slot, model::SlotAccess) {
            const auto index = static_cast<std::size_t>(slot);
            part.graph.slotWidths[index] = graph.slotWidths[index];
        });
    }
    return part;
}

} // namespace

void keepMemoryTogether(const model::Graph& graph, std::vector<bool>& onDevice)
{
    struct Use
    {
        std::size_t first;
        std::size_t last;
    };
    std::map<Memory, Use> uses;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (const auto memory = memoryOf(graph.nodes[i])) {
            uses.try_emplace(*memory, Use { i, i }).first->second.last = i;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [memory, use] : uses) {
            const auto begin = onDevice.begin() + static_cast<std::ptrdiff_t>(use.first);
            const auto end = onDevice.begin() + static_cast<std::ptrdiff_t>(use.last) + 1;
            if (std::find(begin, end, !*begin) != end) {
                std::fill(begin, end, false);
                changed = true;
            }
        }
    }
}

std::vector<GraphPart> splitGraph(const model::Graph& graph, const std::vector<bool>& onDevice)
{
    std::vector<GraphPart> parts;
    Slots written; // by earlier parts
    for (std::size_t first = 0; first < graph.nodes.size();) {
        auto last = first + 1;
        while (last < graph.nodes.size() && onDevice[last] == onDevice[first]) {
            ++last;
        }
        auto& part = parts.emplace_back(partOf(graph, first, last));
        part.onDevice = onDevice[first];
        std::ranges::set_intersection(neededBy(graph, first, last), written,
                                      std::back_inserter(part.needs));
        const auto own = writtenBy(graph, first, last);
        written.insert(own.begin(), own.end());
        // what any later node needs passes on from part to part through the runner's memory
        if (last < graph.nodes.size()) {
            std::ranges::set_intersection(own, neededBy(graph, last, graph.nodes.size()),
                                          std::back_inserter(part.graph.kept));
        }
        first = last;
    }
    return parts;
}

} // namespace engine::backend
