// A large piece of zeroed memory whose pages become resident only when they are written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace engine {

/// Page-aligned, moveable, freed with the object.
class LazyMemory
{
public:
    LazyMemory() = default;
    /// Empty where the system has not even the addresses.
    [[nodiscard]] static LazyMemory allocate(std::size_t bytes);
    LazyMemory(LazyMemory&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_size(std::exchange(other.m_size, 0))
    {
    }
    LazyMemory& operator=(LazyMemory&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        return *this;
    }
    ~LazyMemory();

    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace engine
