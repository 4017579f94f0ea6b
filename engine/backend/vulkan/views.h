// Parts of buffers, and how shaders read them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/buffer.h"

#include <map>
#include <memory>
#include <tuple>

namespace engine::backend::vulkan {

/// Part of a buffer. `offset` is a multiple of facts().offsetAlignment.
struct Range
{
    const Buffer* buffer = nullptr;
    VkDeviceSize offset = 0;
    VkDeviceSize bytes = 0;
};

/// How a shader reads an input (see include/io.glsl).
enum class Format {
    Floats, ///< vec4 of 4 floats
    Bits, ///< uvec4 of 16 bytes
    Halves, ///< vec4 of 4 halves (8 bytes)
};

/// Texel views of ranges, kept until it goes; it must go before the buffers.
class Views
{
public:
    explicit Views(std::shared_ptr<Device> device);
    ~Views();
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;

    [[nodiscard]] Result<VkBufferView> get(const Range& range, Format format);

private:
    using Key = std::tuple<VkBuffer, VkDeviceSize, VkDeviceSize, Format>;
    std::shared_ptr<Device> m_device;
    std::map<Key, VkBufferView> m_views;
};

} // namespace engine::backend::vulkan
