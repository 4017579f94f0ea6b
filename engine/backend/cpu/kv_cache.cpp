#include "engine/backend/cpu/kv_cache.h"

#include <string>

namespace engine::backend::cpu {

Result<void> KvCache::allocate(const model::KvGeometry& geometry, CacheType type,
                               std::uint32_t contextLength)
{
    m_type = type;
    m_context = contextLength;
    const std::uint64_t elementBytes =
        type == CacheType::F32 ? sizeof(float) : sizeof(std::uint16_t);
    std::uint64_t bytes = 0;
    m_layers.clear();
    for (const auto& shape : geometry.layers) {
        const std::uint64_t perNumber = shape.heads * m_context * elementBytes;
        m_layers.push_back({ shape, bytes, bytes + perNumber * shape.keyLength });
        bytes += perNumber * (std::uint64_t(shape.keyLength) + shape.valueLength);
    }
    if (bytes == 0) {
        return {}; // layers without attention
    }
    m_memory = LazyMemory::allocate(bytes);
    if (!m_memory.data()) {
        return failure(ErrorCode::OutOfMemory,
                       { "a KV cache of " + std::to_string(bytes / 1'000'000) + " MB" });
    }
    return {};
}

} // namespace engine::backend::cpu
