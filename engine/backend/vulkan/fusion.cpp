#include "engine/backend/vulkan/fusion.h"

#include "engine/backend/vulkan/product.h"
#include "engine/backend/vulkan/rope_store.h"
#include "engine/model/node_slots.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

namespace op = model::op;

template <typename Op>
const Op* nodeAt(const model::Graph& graph, std::size_t i)
{
    return i < graph.nodes.size() ? std::get_if<Op>(&graph.nodes[i]) : nullptr;
}

/// Whether somebody reads what `slot` holds before node `from`.
bool isReadFrom(const model::Graph& graph, std::size_t from, model::Slot slot)
{
    for (std::size_t i = from; i < graph.nodes.size(); ++i) {
        bool isRead = false;
        bool isFilled = false;
        model::forEachSlot(graph.nodes[i], [&](model::Slot used, model::SlotAccess access) {
            isRead = isRead || (used == slot && access != model::SlotAccess::Write);
            isFilled = isFilled || (used == slot && access == model::SlotAccess::Write);
        });
        if (isRead || isFilled) {
            return isRead;
        }
    }
    return slot == graph.logits || std::ranges::find(graph.kept, slot) != graph.kept.end();
}

/// A product whose result is only added.
bool isAddedOnly(const model::Graph& graph, std::size_t i)
{
    const auto* product = nodeAt<op::Linear>(graph, i);
    const auto* sum = nodeAt<op::Add>(graph, i + 1);
    if (!product || !sum || product->targets.size() != 1) {
        return false;
    }
    const auto out = product->targets.front().out;
    return sum->from == out && sum->into != out && sum->into != product->in
        && !isReadFrom(graph, i + 2, out);
}

/// Products whose results only a gate takes.
struct Gated
{
    std::size_t count = 0; ///< of nodes
    Product product; ///< the gate's target, then that of `up`
    const op::Gate* gate = nullptr;
};

/// The products of two targets that begin at node i.
std::optional<Gated> twoProductsAt(const model::Graph& graph, std::size_t i)
{
    if (const auto* experts = nodeAt<op::ExpertLinear>(graph, i)) {
        if (experts->targets.size() != 2) {
            return {};
        }
        Gated found { 1, productOf(*experts, 0, graph) };
        found.product.targets.push_back(productOf(*experts, 1, graph).targets.front());
        return found;
    }
    const auto* first = nodeAt<op::Linear>(graph, i);
    if (!first || first->targets.empty() || first->targets.size() > 2) {
        return {};
    }
    Gated found { 1, productOf(*first) };
    if (first->targets.size() == 1) {
        const auto* second = nodeAt<op::Linear>(graph, i + 1);
        if (!second || second->targets.size() != 1 || second->in != first->in) {
            return {};
        }
        found.count = 2;
        found.product.targets.push_back(productOf(*second).targets.front());
    }
    return found;
}

std::optional<Gated> gatedAt(const model::Graph& graph, std::size_t i)
{
    auto found = twoProductsAt(graph, i);
    const auto* gate = found ? nodeAt<op::Gate>(graph, i + found->count) : nullptr;
    if (!gate) {
        return {};
    }
    auto& targets = found->product.targets;
    if (targets.front().out == gate->up) {
        std::swap(targets.front(), targets.back());
    }
    const bool fits = targets.front().out == gate->gate && targets.back().out == gate->up
        && gate->gate != gate->up && targets.front().rows == targets.back().rows;
    found->gate = gate;
    ++found->count;
    return fits && !isReadFrom(graph, i + found->count, gate->up) ? found : std::nullopt;
}

void recordAlone(Recording& recording, const model::Node& node)
{
    std::visit([&](const auto& op) { record(recording, op); }, node);
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
        } else if (auto joined = ropeStoreAt(graph, i)) {
            all.push_back({ i, 3, [joined](Recording& recording) { record(recording, *joined); } });
        } else if (auto gated = gatedAt(graph, i)) {
            all.push_back({ i, gated->count, [&graph, i, gated = *gated](Recording& recording) {
                               if (recordGated(recording, gated.product, *gated.gate)) {
                                   return;
                               }
                               for (std::size_t k = 0; k < gated.count; ++k) {
                                   recordAlone(recording, graph.nodes[i + k]);
                               }
                           } });
        } else {
            all.push_back(
                { i, 1, [&node](Recording& recording) { recordAlone(recording, node); } });
        }
    }
    return all;
}

} // namespace engine::backend::vulkan
