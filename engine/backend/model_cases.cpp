#include "engine/backend/model_cases.h"

#include "engine/backend/graph_parts.h"
#include "engine/backend/node_form.h"
#include "engine/backend/selftest_rows.h"
#include "engine/model/node_slots.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace engine::backend {

namespace {

namespace op = model::op;
using model::Graph;
using model::Node;
using model::Slot;
using model::SlotAccess;

constexpr std::size_t kSingles = 8; // rows that run one by one
constexpr std::size_t kStrays = 3; // of a model with experts
constexpr double kWhole = 1e-2; // of a few blocks and the output

/// The slot of a route that a node reads, and of how many experts; -1: none.
std::pair<Slot, std::uint32_t> routeOf(const Node& node)
{
    if (const auto* experts = std::get_if<op::ExpertLinear>(&node)) {
        return { experts->route, experts->targets.front().experts->count };
    }
    const auto* combine = std::get_if<op::CombineExperts>(&node);
    return { combine ? combine->route : -1, combine ? combine->used : 0 };
}

bool isSum(const Node& node)
{
    return std::holds_alternative<op::Linear>(node) || std::holds_alternative<op::HeadLinear>(node)
        || std::holds_alternative<op::ExpertLinear>(node)
        || std::holds_alternative<op::Attention>(node) || std::holds_alternative<op::Route>(node)
        || std::holds_alternative<op::GatedDelta>(node)
        || std::holds_alternative<op::StateScan>(node);
}

/// Products and norms take any numbers; other ops what models bring them.
bool isRobust(const Node& node)
{
    return std::holds_alternative<op::Linear>(node)
        || std::holds_alternative<op::ExpertLinear>(node)
        || std::holds_alternative<op::RmsNorm>(node);
}

/// `nodes` one after the other; what none of them has written before it reads is filled.
void build(const Graph& graph, const std::vector<Node>& nodes, OpGraph& out)
{
    out.options.threads = 0;
    takeMemory(graph, nodes, out.graph);
    std::set<Slot> known;
    unsigned seed = 0;
    for (const auto& node : nodes) {
        const auto [route, experts] = routeOf(node);
        model::forEachSlot(node,
                           [&, route = route, experts = experts](Slot slot, SlotAccess access) {
                               if (!known.insert(slot).second || access == SlotAccess::Write) {
                                   return;
                               }
                               const auto width = graph.slotWidths[static_cast<std::size_t>(slot)];
                               out.fill(slot,
                                        slot == route        ? someRoutes(experts, width / 2)
                                            : isRobust(node) ? wildRows(width, ++seed)
                                                             : calmRows(width, ++seed));
                           });
    }
    std::vector<Slot> results;
    for (const auto& node : nodes) {
        out.graph.nodes.push_back(node);
    }
    model::forEachSlot(nodes.back(), [&](Slot slot, SlotAccess access) {
        if (access != SlotAccess::Read && std::ranges::find(results, slot) == results.end()) {
            results.push_back(slot);
        }
    });
    if (results.size() == 1) {
        out.show(results.front());
        return;
    }
    std::uint32_t total = 0;
    for (const auto slot : results) {
        total += graph.slotWidths[static_cast<std::size_t>(slot)];
    }
    const auto all = out.slot(total);
    std::uint32_t offset = 0;
    for (const auto slot : results) {
        const auto width = graph.slotWidths[static_cast<std::size_t>(slot)];
        out.add(op::CopyPieces { slot, {}, all, { offset, width }, 1, width });
        offset += width;
    }
    out.show(all);
}

/// Attention needs keys and values: the node before it that stores them comes along.
std::vector<Node> withWhatItNeeds(const Graph& graph, const Node& node)
{
    if (const auto* attention = std::get_if<op::Attention>(&node)) {
        for (const auto& other : graph.nodes) {
            const auto* store = std::get_if<op::StoreKv>(&other);
            if (store && store->layer == attention->layer) {
                return { other, node };
            }
        }
        return {};
    }
    return { node };
}

/// Tables that are looked up by token or position have rows for ours.
bool isLongEnough(const Graph& graph)
{
    return std::ranges::all_of(graph.nodes, [](const Node& node) {
        const auto* embed = std::get_if<op::Embed>(&node);
        const auto* positions = std::get_if<op::AddPositions>(&node);
        return (!embed || embed->table->rows >= kSelfTestRows)
            && (!positions || positions->table->rows >= kSelfTestRows);
    });
}

/// Nodes [first, last) of each block; the last one's end with the output.
std::vector<std::pair<std::size_t, std::size_t>> blocksOf(const Graph& graph)
{
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    for (std::size_t i = 0; i < graph.blockStarts.size(); ++i) {
        const bool isLast = i + 1 == graph.blockStarts.size();
        blocks.emplace_back(graph.blockStarts[i],
                            isLast ? graph.nodes.size() : graph.blockStarts[i + 1]);
    }
    return blocks;
}

/// The first block of each kind, the last one, and those whose keys and values they read.
std::set<std::size_t> blocksOfEachKind(const Graph& graph)
{
    const auto blocks = blocksOf(graph);
    std::set<std::size_t> chosen;
    std::set<std::string> kinds;
    std::map<std::uint32_t, std::size_t> storedBy; // layer, block
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        std::string kind;
        std::set<std::size_t> needed;
        for (auto n = blocks[i].first; n < blocks[i].second; ++n) {
            const auto& node = graph.nodes[n];
            kind += std::string(model::opName(node)) + " " + nodeForm(node, graph) + "\n";
            if (const auto* store = std::get_if<op::StoreKv>(&node)) {
                storedBy[store->layer] = i;
            } else if (const auto* attention = std::get_if<op::Attention>(&node)) {
                needed.insert(storedBy[attention->layer]);
            }
        }
        if (kinds.insert(kind).second) {
            chosen.insert(i);
            chosen.insert(needed.begin(), needed.end());
        }
    }
    return chosen;
}

SelfTestCase wholeCase(const Graph& graph, const Backend& reference)
{
    const auto chosen = blocksOfEachKind(graph);
    const auto total = graph.blockStarts.size();
    const auto build = [&graph, chosen](OpGraph& out) {
        const auto blocks = blocksOf(graph);
        const auto begin = blocks.empty() ? graph.nodes.size() : blocks.front().first;
        std::vector<Node> nodes(graph.nodes.begin(),
                                graph.nodes.begin() + static_cast<std::ptrdiff_t>(begin));
        for (const auto i : chosen) {
            nodes.insert(nodes.end(),
                         graph.nodes.begin() + static_cast<std::ptrdiff_t>(blocks[i].first),
                         graph.nodes.begin() + static_cast<std::ptrdiff_t>(blocks[i].second));
        }
        out.options.threads = 0;
        takeMemory(graph, nodes, out.graph);
        out.graph.nodes = std::move(nodes);
        out.show(graph.logits);
    };
    const bool hasExperts = std::ranges::any_of(
        graph.nodes, [](const Node& node) { return std::holds_alternative<op::Route>(node); });
    return { "model",
             std::to_string(chosen.size()) + " of " + std::to_string(total) + " blocks",
             kWhole,
             build,
             &reference,
             kSingles,
             hasExperts ? kStrays : 0 };
}

} // namespace

std::vector<SelfTestCase> modelCases(const Graph& graph, const Backend& reference)
{
    std::vector<SelfTestCase> cases;
    std::set<std::string> kinds;
    const bool hasRows = isLongEnough(graph);
    for (const auto& node : graph.nodes) {
        const std::string name(model::opName(node));
        const auto form = nodeForm(node, graph);
        const bool looksUp = std::holds_alternative<op::Embed>(node)
            || std::holds_alternative<op::AddPositions>(node);
        if (std::holds_alternative<op::StoreKv>(node) || (looksUp && !hasRows)
            || !kinds.insert(name + " " + form).second) {
            continue;
        }
        const auto nodes = withWhatItNeeds(graph, node);
        if (nodes.empty()) {
            continue;
        }
        cases.push_back({ name, form, isSum(node) ? kSums : kSmooth,
                          [&graph, nodes](OpGraph& out) { build(graph, nodes, out); }, &reference,
                          kSingles });
    }
    if (hasRows) {
        cases.push_back(wholeCase(graph, reference));
    }
    return cases;
}

} // namespace engine::backend
