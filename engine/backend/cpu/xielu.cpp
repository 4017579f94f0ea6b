// xIELU (arXiv 2411.13010).
#include "engine/backend/cpu/execution.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Xielu& op)
{
    execution.forNumbers(op.values, [&](float* values, std::size_t count) {
        std::transform(values, values + count, values, [&](float x) {
            return x > 0.0F
                ? op.alphaPositive * x * x + op.beta * x
                : (std::expm1(std::min(x, op.epsilon)) - x) * op.alphaNegative + op.beta * x;
        });
    });
}

} // namespace engine::backend::cpu
