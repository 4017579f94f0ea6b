#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::CopyPieces& op)
{
    const bool whole = isWhole(op.from, op.count, op.length, recording.width(op.in))
        && isWhole(op.to, op.count, op.length, recording.width(op.out));
    const auto steps = pieceSteps(whole, op.length);
    const auto group = pieceGroup(recording.device, steps);
    recording.recorder.dispatch("copy_pieces", { group, whole ? 1U : 0U },
                                { input(recording.slot(op.in)), output(recording.slot(op.out)) },
                                { op.length, recording.stride(op.in), op.from.offset,
                                  op.from.stride, recording.stride(op.out), op.to.offset,
                                  op.to.stride },
                                { ceilDiv(steps, group), op.count, recording.rows });
}

} // namespace engine::backend::vulkan
