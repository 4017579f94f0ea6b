#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Scale& op)
{
    execution.forNumbers(op.values, [&](float* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] *= op.factor;
        }
    });
}

} // namespace engine::backend::cpu
