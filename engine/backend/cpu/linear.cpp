#include "engine/backend/cpu/product.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Linear& op)
{
    if (execution.rows == 0) {
        return;
    }
    const float* in = execution.slot(op.in);
    const auto width = execution.width(op.in);
    const Q8Row* quantized = nullptr;
    if (std::ranges::any_of(
            op.targets, [&](const auto& target) { return wantsQ8(execution, *target.matrix); })) {
        quantized = quantizeRows(execution, execution.rows, op.targets.front().matrix->columns,
                                 [&](std::size_t row) { return in + row * width; });
    }
    std::vector<Product> products;
    products.reserve(op.targets.size());
    for (const auto& target : op.targets) {
        products.push_back({ *target.matrix,
                             target.bias ? target.bias->values().data() : nullptr,
                             { in, width },
                             { execution.slot(target.out), execution.width(target.out) },
                             execution.rows,
                             quantized });
    }
    multiplyAll(execution, products);
}

} // namespace engine::backend::cpu
