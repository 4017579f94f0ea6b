#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::RmsNorm& op)
{
    const auto length = recording.width(op.in) / op.pieces;
    const bool hasWeight = op.weight && *op.weight;
    const auto in = recording.slot(op.in);
    const bool ownWeights = hasWeight && op.weight->values().size() > length;
    recording.recorder.dispatch(
        "rms_norm", { recording.device.groupSize(), hasWeight ? 1U : 0U },
        { input(in), input(hasWeight ? recording.weights.vector(*op.weight) : in),
          output(recording.slot(op.out)) },
        { op.pieces, length, recording.stride(op.in), recording.stride(op.out),
          ownWeights ? length : 0, bits(op.epsilon) },
        { op.pieces, recording.rows });
}

} // namespace engine::backend::vulkan
