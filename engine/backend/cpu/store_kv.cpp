#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

/// Spreads a row's heads over the cache. `begin(head)` is the cache at position 0.
template <typename T, typename Begin>
void storeRow(const Kernels& kernels, const float* row, std::uint32_t heads, std::uint32_t length,
              std::size_t position, Begin&& begin)
{
    for (std::uint32_t head = 0; head < heads; ++head) {
        const float* from = row + std::size_t(head) * length;
        T* to = begin(head) + position * length;
        if constexpr (sizeof(T) == sizeof(float)) {
            std::copy_n(from, length, to);
        } else {
            kernels.floatToHalf(from, to, length);
        }
    }
}

template <typename T>
void store(Execution& execution, const model::op::StoreKv& op)
{
    const auto& cache = execution.cache;
    const auto& layer = cache.layer(op.layer);
    const float* keys = execution.slot(op.key);
    const float* values = execution.slot(op.value);
    execution.forRows([&](std::size_t row, int) {
        const auto position = execution.batch.position + row;
        storeRow<T>(execution.kernels, keys + row * execution.width(op.key), layer.heads,
                    layer.keyLength, position,
                    [&](std::uint32_t head) { return cache.keys<T>(op.layer, head); });
        storeRow<T>(execution.kernels, values + row * execution.width(op.value), layer.heads,
                    layer.valueLength, position,
                    [&](std::uint32_t head) { return cache.values<T>(op.layer, head); });
    });
}

} // namespace

void run(Execution& execution, const model::op::StoreKv& op)
{
    if (execution.cache.type() == CacheType::F32) {
        store<float>(execution, op);
    } else {
        store<std::uint16_t>(execution, op);
    }
}

} // namespace engine::backend::cpu
