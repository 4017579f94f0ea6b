#include "engine/backend/vulkan/pieces.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Route& op)
{
    const auto experts = recording.width(op.scores);
    const auto scores = recording.slot(op.scores);
    const auto flag = [](const model::Vector* vector) { return vector ? 1U : 0U; };
    const auto range = [&](const model::Vector* vector) {
        return vector ? recording.weights.vector(*vector) : scores;
    };
    recording.recorder.dispatch("route",
                                { pieceGroup(recording.device, experts),
                                  static_cast<std::uint32_t>(op.gating), op.groups, flag(op.bias),
                                  flag(op.expertScales), op.normalize ? 1U : 0U },
                                { input(scores), input(range(op.bias)),
                                  input(range(op.expertScales)), output(recording.slot(op.out)) },
                                { experts, recording.stride(op.scores), recording.stride(op.out),
                                  op.used, op.groupsUsed, bits(op.scale) },
                                { recording.rows });
}

} // namespace engine::backend::vulkan
