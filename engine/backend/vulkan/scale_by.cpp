#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::ScaleBy& op)
{
    const Numbers numbers(recording, op.values);
    const auto values = recording.slot(op.values);
    const bool isOne = op.weight->values().size() == 1;
    recording.recorder.dispatch(
        "scale_by", { numbersGroup(recording.device), isOne ? 1U : 0U },
        { input(values), input(recording.weights.vector(*op.weight)), output(values) },
        { numbers.count, numbers.rowPieces, numbers.tail },
        numbersGroups(recording.device, numbers.count));
}

} // namespace engine::backend::vulkan
