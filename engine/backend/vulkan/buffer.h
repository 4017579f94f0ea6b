// Memory of a device as one buffer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"

#include <cstddef>
#include <memory>
#include <span>

namespace engine::backend::vulkan {

/// Bytes that views of buffers may be longer than what they show.
inline constexpr VkDeviceSize kViewSlack = 256;

class Buffer;
/// NaN, in halves and floats, where VITRINE_VULKAN_POISON is set: what was never written must not
/// matter.
void poison(const Buffer& buffer);

enum class BufferUse {
    Device, ///< read and written by shaders; mapped where that costs nothing
    Upload, ///< written by the CPU, read by the device
    Readback, ///< written by the device, read by the CPU
};

/// Keeps its device alive.
class Buffer
{
public:
    /// Errors: DeviceOutOfMemory, DeviceFailed.
    [[nodiscard]] static Result<std::unique_ptr<Buffer>> create(std::shared_ptr<Device> device,
                                                                VkDeviceSize bytes, BufferUse use);
    /// Memory of the process that the device reads where it lies: `bytes` must begin and end at
    /// facts().importAlignment and outlive the buffer, which has the first `used` of them at least.
    [[nodiscard]] static Result<std::unique_ptr<Buffer>>
    import(std::shared_ptr<Device> device, std::span<const std::byte> bytes, VkDeviceSize used);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] VkBuffer handle() const { return m_buffer; }
    [[nodiscard]] VkDeviceSize bytes() const { return m_bytes; }
    /// Where views may end: behind `bytes` there may be some that nobody uses.
    [[nodiscard]] VkDeviceSize viewable() const { return m_viewable; }
    /// Empty where the CPU can't reach it.
    [[nodiscard]] std::span<std::byte> mapped() const { return m_mapped; }

private:
    Buffer(std::shared_ptr<Device> device, VkDeviceSize bytes);
    Result<void> make(BufferUse use);
    Result<void> makeOf(std::span<const std::byte> bytes);
    Result<void> createHandle(VkDeviceSize bytes, const void* next);

    std::shared_ptr<Device> m_device;
    VkDeviceSize m_bytes;
    VkDeviceSize m_viewable = 0;
    VkBuffer m_buffer = VK_NULL_HANDLE;
    VkDeviceMemory m_memory = VK_NULL_HANDLE;
    VkDeviceSize m_memoryBytes = 0;
    std::span<std::byte> m_mapped;
};

} // namespace engine::backend::vulkan
