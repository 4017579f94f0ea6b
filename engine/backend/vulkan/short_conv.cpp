#include "engine/backend/vulkan/states.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::ShortConv& op)
{
    const auto channels = recording.width(op.in);
    const auto kernel = static_cast<std::uint32_t>(op.weight->columns);
    const auto windows = recording.weights.windows(*op.weight);
    if (op.weight->type != gguf::TensorType::F32 || windows.size() != 1) {
        recording.recorder.fail("ShortConv with such weights");
        return;
    }
    const auto& weight = windows.front();
    const bool wholeTaps = kernel == 4 && weight.firstByte % 16 == 0;
    const auto group = stateGroup(recording.device);
    const auto in = recording.slot(op.in);
    const auto out = recording.slot(op.out);
    // a kernel of 1 has no state
    const auto before = kernel > 1 ? stateRange(recording, op.state) : in;
    const auto after = kernel > 1 ? before : out;
    recording.recorder.dispatch(
        "short_conv",
        { group, channels % 4 == 0 ? 1U : 0U, kernel, static_cast<std::uint32_t>(op.function),
          op.bias ? 1U : 0U, wholeTaps ? 1U : 0U },
        { input(in), input(weight.range, Format::Bits),
          input(op.bias ? recording.weights.vector(*op.bias) : in), input(before), output(after),
          output(out) },
        { recording.rows, channels, recording.stride(op.in), weight.firstByte / 4 },
        { ceilDiv(padded(channels) / 4, group) });
}

} // namespace engine::backend::vulkan
