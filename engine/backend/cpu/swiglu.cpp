#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::SwiGlu& op)
{
    const auto width = execution.width(op.gate);
    float* gate = execution.slot(op.gate);
    const float* up = execution.slot(op.up);
    execution.forRows([&](std::size_t row) {
        execution.kernels.swiglu(gate + row * width, up + row * width, width);
    });
}

} // namespace engine::backend::cpu
