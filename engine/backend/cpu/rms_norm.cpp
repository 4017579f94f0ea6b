#include "engine/backend/cpu/execution.h"
#include "engine/backend/cpu/norm_weight.h"

#include <cmath>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::RmsNorm& op)
{
    const auto width = execution.width(op.in);
    const auto length = width / op.pieces;
    const float* in = execution.slot(op.in);
    float* out = execution.slot(op.out);
    const NormVector weight(op.weight, length);
    const auto& kernels = execution.kernels;
    execution.forRows([&](std::size_t row, int) {
        for (std::size_t piece = 0; piece < op.pieces; ++piece) {
            const auto at = row * width + piece * length;
            const float mean = kernels.sumOfSquares(in + at, length) / static_cast<float>(length);
            scaleBy(kernels, in + at, 1.0F / std::sqrt(mean + op.epsilon), weight.of(piece),
                    out + at, length);
        }
    });
}

} // namespace engine::backend::cpu
