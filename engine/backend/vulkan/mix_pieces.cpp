#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::MixPieces& op)
{
    const bool whole = isWhole(op.to, op.count, op.length, recording.width(op.into))
        && isWhole({ 0, op.length }, op.sources, op.length, recording.width(op.from));
    const auto steps = pieceSteps(whole, op.length);
    const auto group = pieceGroup(recording.device, steps);
    const bool hasWeights = op.weights >= 0;
    const auto from = recording.slot(op.from);
    const auto into = recording.slot(op.into);
    recording.recorder.dispatch("mix_pieces", { group, whole ? 1U : 0U, hasWeights ? 1U : 0U },
                                { input(into),
                                  input(hasWeights ? recording.slot(op.weights) : from),
                                  input(from), output(into) },
                                { op.length, recording.stride(op.into), op.to.offset, op.to.stride,
                                  recording.stride(op.from), op.sources,
                                  hasWeights ? recording.stride(op.weights) : 0, bits(op.bias) },
                                { ceilDiv(steps, group), op.count, recording.rows });
}

} // namespace engine::backend::vulkan
