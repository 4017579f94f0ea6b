#include "engine/backend/cpu/product.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::HeadLinear& op)
{
    if (execution.rows == 0) {
        return;
    }
    const auto& stack = *op.stack;
    const auto rows = execution.rows;
    const auto inWidth = execution.width(op.in);
    const auto outWidth = execution.width(op.out);
    const float* in = execution.slot(op.in);
    float* out = execution.slot(op.out);
    const auto piece = [&](std::size_t head) {
        return in + op.from.offset + head * op.from.stride;
    };
    const Q8Row* quantized = nullptr;
    if (wantsQ8(execution, stack.all)) { // head after head, as the products take them
        quantized =
            quantizeRows(execution, stack.count * rows, stack.all.columns,
                         [&](std::size_t i) { return piece(i / rows) + i % rows * inWidth; });
    }
    std::vector<Product> products;
    products.reserve(stack.count);
    for (std::uint32_t head = 0; head < stack.count; ++head) {
        products.push_back({ stack.at(head),
                             nullptr,
                             { piece(head), inWidth },
                             { out + op.to.offset + std::size_t(head) * op.to.stride, outWidth },
                             rows,
                             quantized ? quantized + head * rows : nullptr });
    }
    multiplyAll(execution, products);
}

} // namespace engine::backend::cpu
