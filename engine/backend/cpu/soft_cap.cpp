#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::SoftCap& op)
{
    execution.forNumbers(op.values, [&](float* values, std::size_t count) {
        execution.kernels.softCap(values, op.cap, count);
    });
}

} // namespace engine::backend::cpu
