#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::MatchLength& op)
{
    const auto length = recording.width(op.like);
    const bool whole = isWhole(op.at, op.count, length, recording.width(op.values));
    const auto values = recording.slot(op.values);
    recording.recorder.dispatch(
        "match_length",
        { pieceGroup(recording.device, pieceSteps(whole, length)), whole ? 1U : 0U },
        { input(values), input(recording.slot(op.like)), output(values) },
        { length, recording.stride(op.values), recording.stride(op.like), op.at.offset,
          op.at.stride },
        { op.count, recording.rows });
}

} // namespace engine::backend::vulkan
