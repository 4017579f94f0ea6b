// Weighted sums of pieces of a row (AltUp, arXiv 2301.13310).
#include "engine/backend/cpu/execution.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::MixPieces& op)
{
    const auto intoWidth = execution.width(op.into);
    const auto fromWidth = execution.width(op.from);
    const bool isWeighted = op.weights >= 0;
    const std::size_t weightWidth = isWeighted ? execution.width(op.weights) : 0;
    float* into = execution.slot(op.into);
    const float* from = execution.slot(op.from);
    const float* weights = isWeighted ? execution.slot(op.weights) : nullptr;
    execution.forRows([&](std::size_t row, int) {
        for (std::size_t i = 0; i < op.count; ++i) {
            float* out = into + row * intoWidth + op.to.offset + i * op.to.stride;
            for (std::size_t j = 0; j < op.sources; ++j) {
                const float factor =
                    op.bias + (isWeighted ? weights[row * weightWidth + i * op.sources + j] : 0.0F);
                const float* in = from + row * fromWidth + j * op.length;
                for (std::size_t k = 0; k < op.length; ++k) {
                    out[k] += factor * in[k];
                }
            }
        }
    });
}

} // namespace engine::backend::cpu
