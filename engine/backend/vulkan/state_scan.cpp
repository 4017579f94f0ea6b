#include "engine/backend/vulkan/pieces.h"
#include "engine/backend/vulkan/states.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kShort = 32; // states that one invocation keeps

/// Invocations for one state of so many blocks: one subgroup, where that is enough.
std::uint32_t groupOf(const Device& device, std::uint32_t blocks)
{
    return device.isSoftware()
        ? device.groupSize()
        : std::min(pieceGroup(device, blocks), std::max(device.facts().subgroupSize, 32U));
}

} // namespace

void record(Recording& recording, const model::op::StateScan& op)
{
    const bool isShort = op.stateLength <= kShort;
    const auto blocks = ceilDiv(op.stateLength, 4);
    const auto group = isShort ? stateGroup(recording.device) : groupOf(recording.device, blocks);
    const std::uint32_t numbers[] = { op.stateLength, op.bOffset, op.cOffset,
                                      isShort ? 0 : op.headLength, isShort ? 0 : op.xOffset };
    const bool whole = std::ranges::all_of(numbers, [](auto n) { return n % 4 == 0; });
    const bool ownRates = op.a->values().size() != op.heads;
    const auto state = stateRange(recording, op.state);
    const auto x = recording.slot(op.x);
    recording.recorder.dispatch(
        isShort ? "state_scan_short" : "state_scan",
        { group, whole ? 1U : 0U, isShort ? blocks : ceilDiv(blocks, group), op.stepBias ? 1U : 0U,
          ownRates ? 1U : 0U },
        { input(x), input(recording.slot(op.b)), input(recording.slot(op.c)),
          input(recording.slot(op.step)),
          input(op.stepBias ? recording.weights.vector(*op.stepBias) : x),
          input(recording.weights.vector(*op.a)), input(recording.weights.vector(*op.d)),
          input(state), output(state), output(recording.slot(op.out)) },
        { recording.rows, op.heads, op.headLength, op.heads / op.groups, op.stateLength,
          recording.stride(op.x), op.xOffset, recording.stride(op.b), op.bOffset,
          recording.stride(op.c), op.cOffset, recording.stride(op.step), recording.stride(op.out) },
        isShort ? Groups { ceilDiv(op.heads * op.headLength, group) }
                : Groups { ceilDiv(op.headLength, 4), op.heads });
}

} // namespace engine::backend::vulkan
