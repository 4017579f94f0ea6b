#include "engine/backend/cpu/states.h"

#include <algorithm>
#include <string>

namespace engine::backend::cpu {

Result<void> States::allocate(std::span<const std::uint32_t> floats)
{
    std::uint64_t all = 0;
    for (const auto count : floats) {
        m_firsts.push_back(all);
        all += count;
    }
    if (all == 0) {
        return {};
    }
    m_memory = LazyMemory::allocate(all * sizeof(float));
    if (!m_memory.data()) {
        return failure(
            ErrorCode::OutOfMemory,
            { "recurrent states of " + std::to_string(all * sizeof(float) / 1'000'000) + " MB" });
    }
    return {};
}

void States::clear()
{
    std::ranges::fill(bytes(), std::byte(0));
}

} // namespace engine::backend::cpu
