#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Add& op)
{
    const auto group = recording.device.groupSize();
    const auto count = recording.rows * recording.stride(op.into) / 4;
    recording.recorder.dispatch("add", { group },
                                { input(recording.slot(op.from)), output(recording.slot(op.into)) },
                                { count }, { ceilDiv(count, group) });
}

} // namespace engine::backend::vulkan
