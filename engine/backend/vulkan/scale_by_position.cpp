#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::ScaleByPosition& op)
{
    const Numbers numbers(recording, op.values);
    const auto values = recording.slot(op.values);
    recording.recorder.dispatch(
        "scale_by_position", { numbersGroup(recording.device) },
        { input(values), input(recording.batch, Format::Bits), output(values) },
        { numbers.count, numbers.rowPieces, numbers.tail, bits(op.factor), bits(op.span),
          bits(op.offset) },
        numbersGroups(recording.device, numbers.count));
}

} // namespace engine::backend::vulkan
