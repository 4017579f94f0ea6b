#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Add& op)
{
    const auto width = execution.width(op.into);
    float* into = execution.slot(op.into);
    const float* from = execution.slot(op.from);
    execution.forRows([&](std::size_t row) {
        execution.kernels.add(into + row * width, from + row * width, width);
    });
}

} // namespace engine::backend::cpu
