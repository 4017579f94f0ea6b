#include "engine/backend/vulkan/product.h"

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

void record(Recording& recording, const model::op::Linear& op)
{
    record(recording, productOf(op));
}

} // namespace engine::backend::vulkan
