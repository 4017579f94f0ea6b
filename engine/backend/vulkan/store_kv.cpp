#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::StoreKv& op)
{
    const auto& layer = recording.cache[op.layer];
    const auto& shape = layer.shape;
    const auto group = recording.device.groupSize();
    for (const auto& window : layer.windows) {
        const auto pieces =
            window.heads * (padded(shape.keyLength) + padded(shape.valueLength)) / 4;
        recording.recorder.dispatch(
            recording.cacheType == CacheType::F32 ? "store_kv_f32" : "store_kv_f16",
            { group, shape.keyLength, shape.valueLength },
            { input(recording.batch, Format::Bits), input(recording.slot(op.key)),
              input(recording.slot(op.value)), output(window.keys), output(window.values) },
            { window.heads, recording.stride(op.key), recording.stride(op.value),
              recording.contextLength, window.firstHead },
            { ceilDiv(pieces, group), recording.rows });
    }
}

} // namespace engine::backend::vulkan
