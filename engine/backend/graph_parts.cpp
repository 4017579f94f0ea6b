#include "engine/backend/graph_parts.h"

#include "engine/model/node_memory.h"
#include "engine/model/node_slots.h"

#include <algorithm>
#include <map>
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

GraphPart partOf(const model::Graph& graph, std::size_t first, std::size_t last)
{
    GraphPart part;
    const auto nodes = std::span(graph.nodes).subspan(first, last - first);
    takeMemory(graph, nodes, part.graph);
    part.graph.nodes.assign(nodes.begin(), nodes.end());
    part.graph.logits = graph.logits;
    part.blocks = static_cast<std::uint32_t>(std::ranges::count_if(
        graph.blockStarts, [&](std::uint32_t node) { return node >= first && node < last; }));
    part.keepsOutputs = std::ranges::any_of(part.graph.nodes, [](const model::Node& node) {
        return std::holds_alternative<model::op::KeepOutputs>(node);
    });
    return part;
}

} // namespace

std::set<model::Slot> neededFrom(const model::Graph& graph, std::size_t first)
{
    return neededBy(graph, first, graph.nodes.size());
}

void takeMemory(const model::Graph& from, std::span<const model::Node> nodes, model::Graph& to)
{
    to.slotWidths.resize(from.slotWidths.size());
    to.kv.layers.resize(from.kv.layers.size());
    to.states.resize(from.states.size());
    for (const auto& node : nodes) {
        if (const auto memory = model::memoryOf(node); memory && memory->isState) {
            to.states[memory->index] = from.states[memory->index];
        } else if (memory) {
            to.kv.layers[memory->index] = from.kv.layers[memory->index];
        }
        model::forEachSlot(node, [&](model::Slot slot, model::SlotAccess) {
            const auto index = static_cast<std::size_t>(slot);
            to.slotWidths[index] = from.slotWidths[index];
        });
    }
}

void keepMemoryTogether(const model::Graph& graph, std::vector<bool>& onDevice)
{
    struct Use
    {
        std::size_t first;
        std::size_t last;
    };
    std::map<model::NodeMemory, Use> uses;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (const auto memory = model::memoryOf(graph.nodes[i])) {
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

std::vector<NodeRun> nodeRuns(const std::vector<bool>& onDevice)
{
    std::vector<NodeRun> runs;
    for (std::size_t node = 0; node < onDevice.size(); ++node) {
        if (runs.empty() || runs.back().onDevice != onDevice[node]) {
            runs.push_back({ node, node, onDevice[node] });
        }
        runs.back().last = node + 1;
    }
    return runs;
}

std::vector<GraphPart> splitGraph(const model::Graph& graph, const std::vector<bool>& onDevice)
{
    std::vector<GraphPart> parts;
    Slots written; // by earlier parts
    for (const auto& [first, last, isThere] : nodeRuns(onDevice)) {
        auto& part = parts.emplace_back(partOf(graph, first, last));
        part.onDevice = isThere;
        std::ranges::set_intersection(neededBy(graph, first, last), written,
                                      std::back_inserter(part.needs));
        const auto own = writtenBy(graph, first, last);
        written.insert(own.begin(), own.end());
        // what any later node needs passes on from part to part through the runner's memory
        if (last < graph.nodes.size()) {
            std::ranges::set_intersection(own, neededBy(graph, last, graph.nodes.size()),
                                          std::back_inserter(part.graph.kept));
        }
    }
    return parts;
}

} // namespace engine::backend
