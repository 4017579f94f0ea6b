// Gated units (arXiv 2002.05202) and the limited one of gpt-oss.
#include "engine/backend/cpu/activate.h"
#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

void limited(const Kernels& kernels, float* gate, const float* up, float limit, std::size_t n)
{
    constexpr float slope = 1.702F;
    for (std::size_t i = 0; i < n; ++i) {
        gate[i] = std::min(gate[i], limit);
    }
    kernels.swish(gate, slope, n);
    for (std::size_t i = 0; i < n; ++i) {
        gate[i] *= std::clamp(up[i], -limit, limit) + 1.0F;
    }
}

void gated(const Kernels& kernels, const model::op::Gate& op, float* gate, const float* up,
           std::size_t n)
{
    if (op.limit > 0.0F) {
        limited(kernels, gate, up, op.limit, n);
    } else if (op.function == model::Activation::Silu) {
        kernels.swiglu(gate, up, n);
    } else {
        activate(kernels, op.function, gate, n);
        for (std::size_t i = 0; i < n; ++i) {
            gate[i] *= up[i];
        }
    }
}

} // namespace

void run(Execution& execution, const model::op::Gate& op)
{
    const auto width = execution.width(op.gate);
    const float* up = execution.slot(op.up);
    if (execution.width(op.up) == width) {
        const float* gate = execution.slot(op.gate);
        execution.forNumbers(op.gate, [&](float* values, std::size_t count) {
            gated(execution.kernels, op, values, up + (values - gate), count);
        });
        return;
    }
    float* gate = execution.slot(op.gate);
    execution.forRows([&](std::size_t row, int) { // one number serves the row
        activate(execution.kernels, op.function, gate + row * width, width);
        for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
            gate[i] *= up[row];
        }
    });
}

} // namespace engine::backend::cpu
