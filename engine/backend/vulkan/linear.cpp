#include "engine/backend/vulkan/product.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Linear& op)
{
    Product product { op.in, {} };
    for (const auto& target : op.targets) {
        product.targets.push_back({ target.matrix, static_cast<std::uint32_t>(target.matrix->rows),
                                    target.bias, target.out });
    }
    record(recording, product);
}

} // namespace engine::backend::vulkan
