#include "engine/backend/cpu/execution.h"

#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::ScaleByPosition& op)
{
    const auto width = execution.width(op.values);
    float* values = execution.slot(op.values);
    execution.forRows([&](std::size_t row, int) {
        const double position = double(execution.batch.position) + double(row) + op.offset;
        const auto factor =
            static_cast<float>(1.0 + op.factor * std::log(1.0 + std::floor(position / op.span)));
        for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
            values[i] *= factor;
        }
    });
}

} // namespace engine::backend::cpu
