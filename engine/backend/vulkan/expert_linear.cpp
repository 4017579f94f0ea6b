#include "engine/backend/vulkan/product.h"

namespace engine::backend::vulkan {

Product productOf(const model::op::ExpertLinear& op, std::size_t target, const model::Graph& graph)
{
    const auto& one = op.targets[target];
    const auto rows = static_cast<std::uint32_t>(one.experts->rowsOfOne());
    const auto columns = static_cast<std::uint32_t>(one.experts->all.columns);
    // of all chosen experts of a token
    const bool shared = graph.slotWidths[static_cast<std::size_t>(op.in)] == columns;
    Product product { op.in, { { &one.experts->all, rows, one.bias, one.out } } };
    product.mode = Product::Mode::Experts;
    product.pieces = op.used;
    product.from = { 0, shared ? 0 : columns };
    product.to = { 0, rows };
    product.route = op.route;
    return product;
}

void record(Recording& recording, const model::op::ExpertLinear& op)
{
    for (std::size_t i = 0; i < op.targets.size(); ++i) {
        record(recording, productOf(op, i, recording.graph));
    }
}

} // namespace engine::backend::vulkan
