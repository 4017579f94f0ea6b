#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Embed& op)
{
    const auto group = recording.device.groupSize();
    const auto columns = static_cast<std::uint32_t>(op.table->columns);
    for (const auto& window : recording.weights.windows(*op.table)) {
        recording.recorder.dispatch(
            "embed_f32", { group },
            { input(recording.batch, Format::Bits), input(window.range, Format::Bits),
              output(recording.slot(op.out)) },
            { columns, recording.stride(op.out), static_cast<std::uint32_t>(op.table->rowBytes),
              window.firstByte, static_cast<std::uint32_t>(window.firstRow),
              static_cast<std::uint32_t>(window.rows) },
            { ceilDiv(columns, group), recording.rows });
    }
}

} // namespace engine::backend::vulkan
