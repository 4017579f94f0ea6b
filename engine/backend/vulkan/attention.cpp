#include "engine/backend/vulkan/recording.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kMostHeads = 4; // of a group that share a workgroup

/// The largest divisor of `group` that is at most `most`.
std::uint32_t sharing(std::uint32_t group, std::uint32_t most)
{
    std::uint32_t heads = std::min(group, most);
    while (group % heads != 0) {
        --heads;
    }
    return heads;
}

} // namespace

void record(Recording& recording, const model::op::Attention& op)
{
    const auto& layer = recording.cache[op.layer];
    const auto& shape = layer.shape;
    const auto query = recording.slot(op.query);
    const auto headsOfGroup = op.heads / shape.heads;
    const auto heads = sharing(headsOfGroup, kMostHeads);
    const std::uint32_t rows = 1;
    const auto group = recording.device.groupSize();
    const bool hasSinks = op.sinks && *op.sinks;
    const auto format = recording.cacheType == CacheType::F32 ? Format::Floats : Format::Halves;
    recording.recorder.dispatch(
        recording.cacheType == CacheType::F32 ? "attention_f32" : "attention_f16",
        { group, shape.keyLength, shape.valueLength, heads, rows, 4, hasSinks ? 1U : 0U },
        { input(recording.batch, Format::Bits), input(query), input(layer.keys.range, format),
          input(layer.values.range, format),
          input(hasSinks ? recording.weights.vector(*op.sinks) : query),
          output(recording.slot(op.out)) },
        { recording.rows, op.heads, headsOfGroup, recording.contextLength,
          recording.stride(op.query), recording.stride(op.out), op.window, op.chunk, bits(op.scale),
          bits(op.softCap), bits(op.alibi) },
        { op.heads / heads, ceilDiv(recording.rows, rows) });
}

} // namespace engine::backend::vulkan
