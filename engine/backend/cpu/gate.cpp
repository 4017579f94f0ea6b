// Gated units (arXiv 2002.05202) and the limited one of gpt-oss.
#include "engine/backend/cpu/activate.h"
#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

/// `up` by steps of `step`: of 0 where one number serves all.
void limited(const Kernels& kernels, float* gate, const float* up, std::size_t step, float limit,
             std::size_t n)
{
    constexpr float slope = 1.702F;
    for (std::size_t i = 0; i < n; ++i) {
        gate[i] = std::min(gate[i], limit);
    }
    kernels.swish(gate, slope, n);
    for (std::size_t i = 0; i < n; ++i) {
        gate[i] *= std::clamp(up[i * step], -limit, limit) + 1.0F;
    }
}

void gated(const Kernels& kernels, const model::op::Gate& op, float* gate, const float* up,
           std::size_t step, std::size_t n)
{
    if (op.limit > 0.0F) {
        limited(kernels, gate, up, step, op.limit, n);
    } else if (op.function == model::Activation::Silu && step == 1) {
        kernels.swiglu(gate, up, n);
    } else {
        activate(kernels, op.function, gate, n);
        for (std::size_t i = 0; i < n; ++i) {
            gate[i] *= up[i * step];
        }
    }
}

} // namespace

void run(Execution& execution, const model::op::Gate& op)
{
    const auto width = execution.width(op.gate);
    float* gate = execution.slot(op.gate);
    const float* up = execution.slot(op.up);
    if (execution.width(op.up) == width) {
        execution.forNumbers(op.gate, [&](float* values, std::size_t count) {
            gated(execution.kernels, op, values, up + (values - gate), 1, count);
        });
        return;
    }
    execution.forRows([&](std::size_t row, int) {
        gated(execution.kernels, op, gate + row * width, up + row, 0, width);
    });
}

} // namespace engine::backend::cpu
