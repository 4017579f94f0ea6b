// Keys and values of every layer, in one lazily touched piece of memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/lazy_memory.h"

#include <cstddef>
#include <cstdint>

namespace engine::backend::cpu {

/// Layout: [layer][key or value][head][position][length], F32 or F16. Pages become resident only
/// when written.
class KvCache
{
public:
    /// Errors: OutOfMemory.
    [[nodiscard]] Result<void> allocate(const model::KvGeometry& geometry, CacheType type,
                                        std::uint32_t contextLength);

    [[nodiscard]] CacheType type() const { return m_type; }
    [[nodiscard]] const model::KvGeometry& geometry() const { return m_geometry; }
    [[nodiscard]] std::uint64_t bytes() const { return m_memory.size(); }
    /// The numbers of position 0 of one head; those of position p are p × length further. T: float
    /// or uint16_t (half).
    template <typename T>
    [[nodiscard]] T* keys(std::uint32_t layer, std::uint32_t head) const
    {
        return reinterpret_cast<T*>(m_memory.data() + layer * m_layerBytes
                                    + std::uint64_t(head) * m_context * m_geometry.keyLength
                                        * sizeof(T));
    }
    template <typename T>
    [[nodiscard]] T* values(std::uint32_t layer, std::uint32_t head) const
    {
        return reinterpret_cast<T*>(m_memory.data() + layer * m_layerBytes + m_keyBytes
                                    + std::uint64_t(head) * m_context * m_geometry.valueLength
                                        * sizeof(T));
    }

private:
    model::KvGeometry m_geometry;
    CacheType m_type = CacheType::F16;
    std::uint64_t m_context = 0;
    std::uint64_t m_keyBytes = 0; // of one layer
    std::uint64_t m_layerBytes = 0;
    LazyMemory m_memory;
};

} // namespace engine::backend::cpu
