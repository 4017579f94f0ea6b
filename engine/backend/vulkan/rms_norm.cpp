#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::RmsNorm& op)
{
    const auto width = recording.width(op.in);
    const auto length = width / op.pieces;
    const bool whole = isWhole({ 0, length }, op.pieces, length, width);
    const bool hasWeight = op.weight && *op.weight;
    const auto in = recording.slot(op.in);
    const bool ownWeights = hasWeight && op.weight->values().size() > length;
    recording.recorder.dispatch("rms_norm",
                                { pieceGroup(recording.device, pieceSteps(whole, length)),
                                  whole ? 1U : 0U, hasWeight ? 1U : 0U },
                                { input(in),
                                  input(hasWeight ? recording.weights.vector(*op.weight) : in),
                                  output(recording.slot(op.out)) },
                                { length, recording.stride(op.in), recording.stride(op.out),
                                  ownWeights ? length : 0, bits(op.epsilon) },
                                { op.pieces, recording.rows });
}

} // namespace engine::backend::vulkan
