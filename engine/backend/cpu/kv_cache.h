// Keys and values of every layer, in one lazily touched piece of memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/lazy_memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine::backend::cpu {

/// Layout: [layer][key or value][head][position][length], F32 or F16; each layer has a geometry of
/// its own. Pages become resident only when written.
class KvCache
{
public:
    /// Errors: OutOfMemory.
    [[nodiscard]] Result<void> allocate(const model::KvGeometry& geometry, CacheType type,
                                        std::uint32_t contextLength);

    [[nodiscard]] CacheType type() const { return m_type; }
    [[nodiscard]] const model::KvLayer& layer(std::uint32_t index) const
    {
        return m_layers[index].shape;
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_memory.size(); }
    /// The numbers of position 0 of one head; those of position p are p × length further. T: float
    /// or uint16_t (half).
    template <typename T>
    [[nodiscard]] T* keys(std::uint32_t layer, std::uint32_t head) const
    {
        const auto& l = m_layers[layer];
        return at<T>(l.keys, head, l.shape.keyLength);
    }
    template <typename T>
    [[nodiscard]] T* values(std::uint32_t layer, std::uint32_t head) const
    {
        const auto& l = m_layers[layer];
        return at<T>(l.values, head, l.shape.valueLength);
    }

private:
    struct Layer
    {
        model::KvLayer shape;
        std::uint64_t keys = 0; // byte offsets
        std::uint64_t values = 0;
    };

    template <typename T>
    [[nodiscard]] T* at(std::uint64_t first, std::uint32_t head, std::uint32_t length) const
    {
        return reinterpret_cast<T*>(m_memory.data() + first
                                    + std::uint64_t(head) * m_context * length * sizeof(T));
    }

    std::vector<Layer> m_layers;
    CacheType m_type = CacheType::F16;
    std::uint64_t m_context = 0;
    LazyMemory m_memory;
};

} // namespace engine::backend::cpu
