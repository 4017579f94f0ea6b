// The recurrent states of a graph, one behind the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/lazy_memory.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::backend::cpu {

/// All zeros at first.
class States
{
public:
    /// `floats` of each state. Errors: OutOfMemory.
    [[nodiscard]] Result<void> allocate(std::span<const std::uint32_t> floats);

    [[nodiscard]] float* at(std::uint32_t state)
    {
        return reinterpret_cast<float*>(m_memory.data()) + m_firsts[state];
    }
    [[nodiscard]] std::span<std::byte> bytes() { return { m_memory.data(), m_memory.size() }; }
    [[nodiscard]] std::span<const std::byte> bytes() const
    {
        return { m_memory.data(), m_memory.size() };
    }
    /// Zeros again.
    void clear();

private:
    std::vector<std::uint64_t> m_firsts; // by state, in floats
    LazyMemory m_memory;
};

} // namespace engine::backend::cpu
