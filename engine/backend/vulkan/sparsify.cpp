#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Sparsify& op)
{
    const auto width = recording.width(op.values);
    const auto values = recording.slot(op.values);
    recording.recorder.dispatch(
        "sparsify", { pieceGroup(recording.device, pieceSteps(true, width)), 1U },
        { input(values), output(values) },
        { width, recording.stride(op.values), bits(op.deviations) }, { recording.rows });
}

} // namespace engine::backend::vulkan
