#include "engine/backend/cpu/execution.h"

#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::RmsNorm& op)
{
    const auto width = execution.width(op.in);
    const float* in = execution.slot(op.in);
    float* out = execution.slot(op.out);
    const float* weight = op.weight->values().data();
    const auto& kernels = execution.kernels;
    execution.forRows([&](std::size_t row) {
        const float* x = in + row * width;
        const float mean = kernels.sumOfSquares(x, width) / static_cast<float>(width);
        kernels.scaleBy(x, 1.0F / std::sqrt(mean + op.epsilon), weight, out + row * width, width);
    });
}

} // namespace engine::backend::cpu
