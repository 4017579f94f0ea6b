// Only what is far above a row's mean stays (Gemma 3n).
#include "engine/backend/cpu/execution.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Sparsify& op)
{
    const auto width = execution.width(op.values);
    float* all = execution.slot(op.values);
    execution.forRows([&](std::size_t row, int) {
        float* values = all + row * width;
        double sum = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            sum += values[i];
        }
        const auto mean = static_cast<float>(sum / double(width));
        double squares = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            const double difference = values[i] - mean;
            squares += difference * difference;
        }
        const double degrees = double(std::max<std::size_t>(width, 2) - 1);
        const auto deviation = static_cast<float>(std::sqrt(squares / degrees));
        const float cut = mean + op.deviations * deviation;
        for (std::size_t i = 0; i < width; ++i) {
            values[i] = std::max(values[i] - cut, 0.0F);
        }
    });
}

} // namespace engine::backend::cpu
