#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Add& op)
{
    const float* from = execution.slot(op.from);
    const float* into = execution.slot(op.into);
    execution.forNumbers(op.into, [&](float* values, std::size_t count) {
        execution.kernels.add(values, from + (values - into), count);
    });
}

} // namespace engine::backend::cpu
