#include "engine/backend/vulkan/product.h"

#include <algorithm>

namespace engine::backend::vulkan {

Product productOf(const model::op::Linear& op)
{
    Product product { op.in, {} };
    for (const auto& target : op.targets) {
        product.targets.push_back({ target.matrix, static_cast<std::uint32_t>(target.matrix->rows),
                                    target.bias, target.out });
    }
    return product;
}

std::uint64_t mostColumns(const model::Graph& graph)
{
    std::uint64_t most = 0;
    for (const auto& node : graph.nodes) {
        if (const auto* op = std::get_if<model::op::Linear>(&node)) {
            most = std::max(most, op->targets.front().matrix->columns);
        }
    }
    return most;
}

void record(Recording& recording, const model::op::Linear& op)
{
    record(recording, productOf(op));
}

} // namespace engine::backend::vulkan
