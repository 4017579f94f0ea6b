#include "engine/backend/vulkan/arena.h"

namespace engine::backend::vulkan {

namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t(1) << 30;

} // namespace

Result<Arena> Arena::create(const std::shared_ptr<Device>& device,
                            std::span<const std::uint64_t> sizes, BufferUse use)
{
    const auto alignment = device->facts().offsetAlignment;
    Arena arena;
    arena.m_ranges.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size();) {
        std::uint64_t bytes = 0;
        auto last = i;
        for (; last < sizes.size(); ++last) {
            const auto next = (sizes[last] + alignment - 1) / alignment * alignment;
            if (last > i && bytes + next > kBlockBytes) {
                break;
            }
            arena.m_ranges[last] = { nullptr, bytes, sizes[last] };
            bytes += next;
        }
        if (bytes > 0) {
            auto buffer = Buffer::create(device, bytes, use);
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            arena.m_buffers.push_back(std::move(*buffer));
            for (; i < last; ++i) {
                auto& range = arena.m_ranges[i];
                range = range.bytes > 0
                    ? Range { arena.m_buffers.back().get(), range.offset, range.bytes }
                    : Range {};
            }
        }
        i = last;
    }
    return arena;
}

std::uint64_t Arena::bytes() const
{
    std::uint64_t sum = 0;
    for (const auto& buffer : m_buffers) {
        sum += buffer->bytes();
    }
    return sum;
}

} // namespace engine::backend::vulkan
