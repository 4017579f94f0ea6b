#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::CombineExperts& op)
{
    const auto width = execution.width(op.out);
    const auto routeWidth = execution.width(op.route);
    const float* in = execution.slot(op.in);
    const float* route = execution.slot(op.route);
    float* out = execution.slot(op.out);
    execution.forRows([&](std::size_t row, int) {
        float* sum = out + row * width;
        std::fill_n(sum, width, 0.0F);
        const float* weights = route + row * routeWidth + op.used;
        execution.kernels.addRows(sum, weights, in + row * op.used * width, op.used, width);
    });
}

} // namespace engine::backend::cpu
