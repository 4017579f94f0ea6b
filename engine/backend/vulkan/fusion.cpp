#include "engine/backend/vulkan/fusion.h"

#include "engine/backend/vulkan/product.h"
#include "engine/backend/vulkan/rope_store.h"
#include "engine/model/node_slots.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

namespace op = model::op;
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
        } else if (auto joined = ropeStoreAt(graph, i)) {
            all.push_back({ i, 3, [joined](Recording& recording) { record(recording, *joined); } });
        } else {
            all.push_back({ i, 1, [&node](Recording& recording) {
                               std::visit([&](const auto& op) { record(recording, op); }, node);
                           } });
        }
    }
    return all;
}

} // namespace engine::backend::vulkan
