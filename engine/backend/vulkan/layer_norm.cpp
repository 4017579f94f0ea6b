#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::LayerNorm& op)
{
    const auto width = recording.width(op.in);
    const auto length = width / op.pieces;
    const bool whole = isWhole({ 0, length }, op.pieces, length, width);
    const auto in = recording.slot(op.in);
    const auto has = [](const model::Vector* vector) { return vector && *vector; };
    const auto range = [&](const model::Vector* vector) {
        return has(vector) ? recording.weights.vector(*vector) : in;
    };
    const auto step = [&](const model::Vector* vector) {
        return has(vector) && vector->values().size() > length ? length : 0;
    };
    recording.recorder.dispatch("layer_norm",
                                { pieceGroup(recording.device, pieceSteps(whole, length)),
                                  whole ? 1U : 0U, has(op.weight) ? 1U : 0U,
                                  has(op.bias) ? 1U : 0U },
                                { input(in), input(range(op.weight)), input(range(op.bias)),
                                  output(recording.slot(op.out)) },
                                { length, recording.stride(op.in), recording.stride(op.out),
                                  step(op.weight), step(op.bias), bits(op.epsilon) },
                                { op.pieces, recording.rows });
}

} // namespace engine::backend::vulkan
