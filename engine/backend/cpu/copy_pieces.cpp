#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::CopyPieces& op)
{
    const auto inWidth = execution.width(op.in);
    const auto outWidth = execution.width(op.out);
    const float* in = execution.slot(op.in);
    float* out = execution.slot(op.out);
    execution.forRows([&](std::size_t row, int) {
        const float* from = in + row * inWidth + op.from.offset;
        float* to = out + row * outWidth + op.to.offset;
        for (std::size_t i = 0; i < op.count; ++i) {
            std::copy_n(from + i * op.from.stride, op.length, to + i * op.to.stride);
        }
    });
}

} // namespace engine::backend::cpu
