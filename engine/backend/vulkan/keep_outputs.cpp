#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::KeepOutputs& op)
{
    const std::uint64_t rowBytes = std::uint64_t(recording.stride(op.in)) * sizeof(float);
    auto from = recording.slot(op.in);
    if (recording.outputs != Outputs::All) {
        recording.rows = recording.outputs == Outputs::Last ? 1 : 0;
        from.offset += from.bytes - recording.rows * rowBytes;
        from.bytes = recording.rows * rowBytes;
    }
    if (recording.rows > 0) {
        recording.recorder.copy(from, recording.slot(op.out));
    }
}

} // namespace engine::backend::vulkan
