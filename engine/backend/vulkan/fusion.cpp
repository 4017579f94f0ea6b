#include "engine/backend/vulkan/fusion.h"

#include "engine/backend/vulkan/product.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

namespace op = model::op;
using Slots = std::vector<model::Slot>;

/// The slots that a node reads, those among them that it changes.
struct Reads
{
    template <typename Op>
    Slots operator()(const Op& node) const
    {
        if constexpr (requires { node.values; }) {
            return { node.values };
        } else {
            return { node.in };
        }
    }
    Slots operator()(const op::Embed& /*node*/) const { return {}; }
    Slots operator()(const op::AddPositions& node) const { return { node.into }; }
    // pieces of `out` stay as they are
    Slots operator()(const op::HeadLinear& node) const { return { node.in, node.out }; }
    Slots operator()(const op::CopyPieces& node) const { return { node.in, node.out }; }
    Slots operator()(const op::StoreKv& node) const { return { node.key, node.value }; }
    Slots operator()(const op::Attention& node) const { return { node.query }; }
    Slots operator()(const op::Add& node) const { return { node.into, node.from }; }
    Slots operator()(const op::Gate& node) const { return { node.gate, node.up }; }
    Slots operator()(const op::MixPieces& node) const
    {
        return { node.into, node.from, node.weights };
    }
    Slots operator()(const op::MatchLength& node) const { return { node.values, node.like }; }
    Slots operator()(const op::Route& node) const { return { node.scores }; }
    Slots operator()(const op::ExpertLinear& node) const { return { node.in, node.route }; }
    Slots operator()(const op::CombineExperts& node) const { return { node.in, node.route }; }
    Slots operator()(const op::GatedDelta& node) const
    {
        return { node.query, node.key, node.value, node.alpha, node.beta };
    }
    Slots operator()(const op::StateScan& node) const
    {
        return { node.x, node.b, node.c, node.step };
    }
};

/// The slots that a node fills, all numbers of the row.
struct Fills
{
    template <typename Op>
    Slots operator()(const Op& node) const
    {
        if constexpr (requires { node.targets; }) {
            Slots all;
            for (const auto& target : node.targets) {
                all.push_back(target.out);
            }
            return all;
        } else if constexpr (
            requires { node.out; } && !requires { node.to; }) {
            return { node.out };
        } else {
            return {};
        }
    }
};

bool has(const Slots& slots, model::Slot slot)
{
    return std::ranges::find(slots, slot) != slots.end();
}

/// Whether somebody reads what `slot` holds before node `from`.
bool isReadFrom(const model::Graph& graph, std::size_t from, model::Slot slot)
{
    for (std::size_t i = from; i < graph.nodes.size(); ++i) {
        if (has(std::visit(Reads {}, graph.nodes[i]), slot)) {
            return true;
        }
        if (has(std::visit(Fills {}, graph.nodes[i]), slot)) {
            return false;
        }
    }
    return slot == graph.logits;
}

/// A product whose result is only added.
bool isAddedOnly(const model::Graph& graph, std::size_t i)
{
    const auto* product = std::get_if<op::Linear>(&graph.nodes[i]);
    const auto* sum =
        i + 1 < graph.nodes.size() ? std::get_if<op::Add>(&graph.nodes[i + 1]) : nullptr;
    if (!product || !sum || product->targets.size() != 1) {
        return false;
    }
    const auto out = product->targets.front().out;
    return sum->from == out && sum->into != out && sum->into != product->in
        && !isReadFrom(graph, i + 2, out);
}

} // namespace

std::vector<Step> steps(const model::Graph& graph)
{
    std::vector<Step> all;
    for (std::size_t i = 0; i < graph.nodes.size(); i += all.back().count) {
        const auto& node = graph.nodes[i];
        if (isAddedOnly(graph, i)) {
            all.push_back({ i, 2, [&graph, i](Recording& recording) {
                               auto product = productOf(std::get<op::Linear>(graph.nodes[i]));
                               product.targets.front().out =
                                   std::get<op::Add>(graph.nodes[i + 1]).into;
                               product.adds = true;
                               record(recording, product);
                           } });
        } else {
            all.push_back({ i, 1, [&node](Recording& recording) {
                               std::visit([&](const auto& op) { record(recording, op); }, node);
                           } });
        }
    }
    return all;
}

} // namespace engine::backend::vulkan
