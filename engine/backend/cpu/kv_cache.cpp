#include "engine/backend/cpu/kv_cache.h"

#include <string>

namespace engine::backend::cpu {

Result<void> KvCache::allocate(const model::KvGeometry& geometry, CacheType type,
                               std::uint32_t contextLength)
{
    m_geometry = geometry;
    m_type = type;
    m_context = contextLength;
    const std::uint64_t elementBytes =
        type == CacheType::F32 ? sizeof(float) : sizeof(std::uint16_t);
    const std::uint64_t perHead = m_context * elementBytes;
    m_keyBytes = geometry.heads * perHead * geometry.keyLength;
    m_layerBytes = m_keyBytes + geometry.heads * perHead * geometry.valueLength;
    const auto bytes = m_layerBytes * geometry.layers;
    m_memory = LazyMemory::allocate(bytes);
    if (!m_memory.data()) {
        return failure(ErrorCode::OutOfMemory,
                       { "a KV cache of " + std::to_string(bytes / 1'000'000) + " MB" });
    }
    return {};
}

} // namespace engine::backend::cpu
