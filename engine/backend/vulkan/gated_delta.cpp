#include "engine/backend/vulkan/pieces.h"
#include "engine/backend/vulkan/states.h"

#include <algorithm>

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::GatedDelta& op)
{
    const auto blocks = ceilDiv(op.keyLength, 4);
    auto group = recording.device.groupSize();
    if (!recording.device.isSoftware()) { // one subgroup, where that is enough
        group = std::min(pieceGroup(recording.device, blocks),
                         std::max(recording.device.facts().subgroupSize, 32U));
    }
    const std::uint32_t numbers[] = { op.keyLength, op.valueLength, op.queryOffset, op.keyOffset,
                                      op.valueOffset };
    const bool whole = std::ranges::all_of(numbers, [](auto n) { return n % 4 == 0; });
    const auto state = stateRange(recording, op.state);
    recording.recorder.dispatch(
        "gated_delta", { group, whole ? 1U : 0U, ceilDiv(blocks, group), op.interleaved ? 1U : 0U },
        { input(recording.slot(op.query)), input(recording.slot(op.key)),
          input(recording.slot(op.value)), input(recording.slot(op.alpha)),
          input(recording.slot(op.beta)), input(recording.weights.vector(*op.a)),
          input(recording.weights.vector(*op.dt)), input(state), output(state),
          output(recording.slot(op.out)) },
        { recording.rows, op.keyLength, op.valueLength, op.keyHeads,
          std::max(op.valueHeads / op.keyHeads, 1U), recording.stride(op.query), op.queryOffset,
          recording.stride(op.key), op.keyOffset, recording.stride(op.value), op.valueOffset,
          recording.stride(op.alpha), recording.stride(op.out), bits(op.epsilon) },
        { ceilDiv(op.valueLength, 4), op.valueHeads });
}

} // namespace engine::backend::vulkan
