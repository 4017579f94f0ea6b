// Multiplication by numbers of the model.
#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::ScaleBy& op)
{
    const auto width = execution.width(op.values);
    const auto weight = op.weight->values();
    const std::size_t step = weight.size() == 1 ? 0 : 1;
    float* values = execution.slot(op.values);
    execution.forRows([&](std::size_t row, int) {
        for (std::size_t i = 0; i < width; ++i) {
            values[row * width + i] *= weight[i * step];
        }
    });
}

} // namespace engine::backend::cpu
