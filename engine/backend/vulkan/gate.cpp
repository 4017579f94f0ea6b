#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Gate& op)
{
    const Numbers numbers(recording, op.gate);
    const bool isShared = recording.width(op.up) != recording.width(op.gate);
    const auto gate = recording.slot(op.gate);
    recording.recorder.dispatch("gate",
                                { numbersGroup(recording.device),
                                  static_cast<std::uint32_t>(op.function), isShared ? 1U : 0U,
                                  op.limit > 0.0F ? 1U : 0U },
                                { input(gate), input(recording.slot(op.up)), output(gate) },
                                { numbers.count, numbers.rowPieces, numbers.tail, bits(op.limit) },
                                numbersGroups(recording.device, numbers.count));
}

} // namespace engine::backend::vulkan
