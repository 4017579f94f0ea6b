#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::CombineExperts& op)
{
    const auto width = recording.width(op.out);
    const bool whole = op.used == 1 || width % 4 == 0;
    const auto steps = pieceSteps(whole, width);
    const auto group = pieceGroup(recording.device, steps);
    recording.recorder.dispatch("combine_experts", { group, whole ? 1U : 0U },
                                { input(recording.slot(op.in)), input(recording.slot(op.route)),
                                  output(recording.slot(op.out)) },
                                { width, recording.stride(op.in), recording.stride(op.route),
                                  recording.stride(op.out), op.used },
                                { ceilDiv(steps, group), recording.rows });
}

} // namespace engine::backend::vulkan
