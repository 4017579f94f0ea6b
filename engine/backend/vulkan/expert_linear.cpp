#include "engine/backend/vulkan/product.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::ExpertLinear& op)
{
    const auto& shape = *op.targets.front().experts;
    const auto columns = static_cast<std::uint32_t>(shape.all.columns);
    const bool shared = recording.width(op.in) == columns; // by all chosen experts of a token
    // a product a target: each has its own length of a row in `to`
    for (const auto& target : op.targets) {
        const auto rows = static_cast<std::uint32_t>(target.experts->rowsOfOne());
        Product product { op.in, { { &target.experts->all, rows, target.bias, target.out } } };
        product.mode = Product::Mode::Experts;
        product.pieces = op.used;
        product.from = { 0, shared ? 0 : columns };
        product.to = { 0, rows };
        product.route = op.route;
        record(recording, product);
    }
}

} // namespace engine::backend::vulkan
