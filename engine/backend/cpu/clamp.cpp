#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Clamp& op)
{
    execution.forNumbers(op.values, [&](float* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = std::clamp(values[i], -op.limit, op.limit);
        }
    });
}

} // namespace engine::backend::cpu
