#include "engine/backend/vulkan/product.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::HeadLinear& op)
{
    const auto& stack = *op.stack;
    Product product {
        op.in, { { &stack.all, static_cast<std::uint32_t>(stack.rowsOfOne()), nullptr, op.out } }
    };
    product.mode = Product::Mode::Many;
    product.pieces = stack.count;
    product.from = op.from;
    product.to = op.to;
    record(recording, product);
}

} // namespace engine::backend::vulkan
