// Pieces of a row get the length of another row (AltUp in Gemma 3n).
#include "engine/backend/cpu/execution.h"

#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::MatchLength& op)
{
    const auto width = execution.width(op.values);
    const auto length = execution.width(op.like);
    const auto& kernels = execution.kernels;
    float* values = execution.slot(op.values);
    const float* like = execution.slot(op.like);
    execution.forRows([&](std::size_t row, int) {
        const float wanted = std::sqrt(kernels.sumOfSquares(like + row * length, length));
        for (std::size_t i = 0; i < op.count; ++i) {
            float* piece = values + row * width + op.at.offset + i * op.at.stride;
            const float own = std::sqrt(kernels.sumOfSquares(piece, length));
            const float factor = own > 0.0F ? wanted / own : 0.0F;
            for (std::size_t k = 0; k < length; ++k) {
                piece[k] *= factor;
            }
        }
    });
}

} // namespace engine::backend::cpu
