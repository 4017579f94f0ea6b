#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Rope& op)
{
    const auto& parameters = *op.parameters;
    const auto pairs = parameters.dimensions / 2;
    if (pairs == 0) {
        return;
    }
    const bool whole = pairs % 4 == 0 && op.headLength % 4 == 0 && op.offset % 4 == 0;
    const auto invocations = op.heads * (whole ? pairs / 4 : pairs);
    const auto group = recording.device.groupSize();
    const auto values = recording.slot(op.values);
    recording.recorder.dispatch(
        "rope", { group, parameters.pairs == model::RopePairs::Halves ? 1U : 0U, whole ? 1U : 0U },
        { input(recording.ropes.at(op.parameters)), input(values), output(values) },
        { op.heads, pairs, op.headLength, op.offset, recording.stride(op.values),
          padded(parameters.dimensions) },
        { ceilDiv(invocations, group), recording.rows });
}

} // namespace engine::backend::vulkan
