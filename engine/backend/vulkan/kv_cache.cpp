#include "engine/backend/vulkan/kv_cache.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

std::uint32_t bytesPerNumber(CacheType type)
{
    return type == CacheType::F32 ? sizeof(float) : sizeof(std::uint16_t);
}

/// Of a head's keys or values at all positions.
std::uint64_t headBytes(std::uint32_t length, const RunnerOptions& options)
{
    return std::uint64_t(options.contextLength) * padded(length)
        * bytesPerNumber(options.cacheType);
}

/// Of one binding: the cache is written and read.
std::uint64_t mostBytes(const Device& device, CacheType type)
{
    return std::min(device.outputRange(), device.inputRange(4 * bytesPerNumber(type)));
}

/// Without their memory; empty where a head is too large.
std::vector<CacheWindow> windowsOf(const model::KvLayer& shape, std::uint64_t ofHead,
                                   std::uint64_t most)
{
    const auto fitting = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(shape.heads, most / std::max<std::uint64_t>(1, ofHead)));
    std::vector<CacheWindow> windows;
    if (fitting == 0) {
        return windows;
    }
    const auto count = ceilDiv(shape.heads, fitting);
    for (std::uint32_t i = 0; i < count; ++i) { // all about alike
        const auto first = static_cast<std::uint32_t>(std::uint64_t(shape.heads) * i / count);
        const auto last = static_cast<std::uint32_t>(std::uint64_t(shape.heads) * (i + 1) / count);
        windows.push_back({ first, last - first, {}, {} });
    }
    return windows;
}

} // namespace

Result<KvCache> KvCache::create(const std::shared_ptr<Device>& device,
                                const model::KvGeometry& geometry, const RunnerOptions& options)
{
    KvCache cache;
    const auto most = mostBytes(*device, options.cacheType);
    std::vector<std::uint64_t> sizes; // keys and values of each window
    for (const auto& shape : geometry.layers) {
        const auto keys = headBytes(shape.keyLength, options);
        const auto values = headBytes(shape.valueLength, options);
        auto& layer = cache.m_layers.emplace_back(
            CacheLayer { shape, windowsOf(shape, std::max(keys, values), most) });
        if (shape.heads > 0 && layer.windows.empty()) {
            return failure(ErrorCode::DeviceOutOfMemory,
                           { "keys of one head at this context length are more than the "
                             + std::to_string(most >> 20) + " MiB that it can address at once" });
        }
        for (const auto& window : layer.windows) {
            sizes.push_back(window.heads * keys);
            sizes.push_back(window.heads * values);
        }
    }
    auto memory = Arena::create(device, sizes, BufferUse::Device);
    if (!memory) {
        return tl::unexpected(memory.error());
    }
    cache.m_memory = std::move(*memory);
    for (const auto& buffer : cache.m_memory.buffers()) {
        poison(*buffer);
    }
    auto next = cache.m_memory.ranges().begin();
    for (auto& layer : cache.m_layers) {
        for (auto& window : layer.windows) {
            window.keys = *next++;
            window.values = *next++;
        }
    }
    return cache;
}

} // namespace engine::backend::vulkan
