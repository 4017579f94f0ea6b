// One logical device with its compute queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/devices.h"
#include "engine/backend/vulkan/api.h"
#include "engine/backend/vulkan/instance.h"
#include "engine/backend/vulkan/matrix_shape.h"
#include "engine/base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine::backend::vulkan {

/// Faults to order in tests.
struct Faults
{
    std::atomic<int> failAllocation = -1; ///< the n-th allocation from now on fails; -1: none
    std::atomic<int> loseAfter = -1; ///< the device is lost at the n-th submission from now on
};

/// Which build of a shader runs here.
enum class ShaderVariant {
    Texels, ///< inputs are texel buffers, subgroups sum: fastest on software devices
    Storage, ///< inputs are storage buffers, subgroups sum
    Plain, ///< storage buffers, sums through shared memory
};

class Device;

/// Command buffers on their way; whoever drops it waits. The device must outlive it.
class Submission
{
public:
    Submission() = default;
    Submission(Submission&& other) noexcept { *this = std::move(other); }
    Submission& operator=(Submission&& other) noexcept;
    ~Submission() { (void)wait(); }

    /// For their end; at once where that was waited for, or nothing is on its way. Errors:
    /// DeviceLost, DeviceFailed.
    Result<void> wait();

private:
    friend class Device;
    Device* m_device = nullptr;
    VkFence m_fence = VK_NULL_HANDLE;
};

/// Thread-safe, once open.
class Device
{
public:
    /// Features named in `without` or VITRINE_VULKAN_WITHOUT ("texels,subgroups,import,…" in the
    /// environment) stay unused. Errors: DeviceUnfit, DeviceFailed, DeviceOutOfMemory.
    [[nodiscard]] static Result<std::shared_ptr<Device>>
    open(std::shared_ptr<Instance> instance, VkPhysicalDevice physical, DeviceFacts facts,
         std::span<const std::string> without = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const VolkDeviceTable& vk() const { return m_table; }
    [[nodiscard]] VkDevice handle() const { return m_device; }
    [[nodiscard]] VkPhysicalDevice physical() const { return m_physical; }
    /// With the features that are used.
    [[nodiscard]] const DeviceFacts& facts() const { return m_facts; }
    [[nodiscard]] const Instance& instance() const { return *m_instance; }
    [[nodiscard]] std::uint32_t queueFamily() const { return m_queueFamily; }
    [[nodiscard]] ShaderVariant variant() const { return m_variant; }
    [[nodiscard]] bool readsTexels() const { return m_variant == ShaderVariant::Texels; }
    /// Its processor is the machine's: work is laid out otherwise than for a GPU. (False too
    /// where VITRINE_VULKAN_WITHOUT names "software": for tests of what GPUs do.)
    [[nodiscard]] bool isSoftware() const { return m_isSoftware; }
    /// Invocations of a group that works on one row of numbers: one subgroup on software devices,
    /// where groups of several are slow, more on GPUs.
    [[nodiscard]] std::uint32_t groupSize() const;
    /// What its cooperative matrices multiply; nothing where they aren't used.
    [[nodiscard]] const std::optional<MatrixShape>& matrices() const { return m_matrices; }
    /// Most bytes of one input binding that is read in pieces of so many bytes (no more than
    /// VITRINE_VULKAN_RANGE, where that is set).
    [[nodiscard]] std::uint64_t inputRange(std::uint32_t pieceBytes = 16) const;
    /// Most bytes of one output binding; VITRINE_VULKAN_RANGE bounds it too.
    [[nodiscard]] std::uint64_t outputRange() const;

    /// Runs command buffers in order and waits for their end. Errors: DeviceLost, DeviceFailed.
    [[nodiscard]] Result<void> submit(std::span<const VkCommandBuffer> commands);
    /// As submit, without waiting: what they refer to must stay until the submission's end.
    [[nodiscard]] Result<Submission> start(std::span<const VkCommandBuffer> commands);
    /// True since a submission found the device lost: every call fails from then on.
    [[nodiscard]] bool isLost() const { return m_lost; }
    /// Errors: DeviceOutOfMemory. `next`: extends the request, may be null.
    [[nodiscard]] Result<VkDeviceMemory> allocate(VkDeviceSize bytes, std::uint32_t memoryType,
                                                  const void* next = nullptr);
    /// What `allocate` gave for so many bytes.
    void free(VkDeviceMemory memory, VkDeviceSize bytes);
    /// What is allocated now, memory of the process that was imported too.
    [[nodiscard]] std::uint64_t allocatedBytes() const { return m_allocated; }

    Faults faults;

private:
    friend class Submission;
    Device() = default;
    Result<void> create();
    Result<void> ended(VkResult result);

    std::shared_ptr<Instance> m_instance;
    VkPhysicalDevice m_physical = VK_NULL_HANDLE;
    DeviceFacts m_facts;
    std::uint64_t m_mostRange = UINT64_MAX;
    bool m_isSoftware = false;
    ShaderVariant m_variant = ShaderVariant::Storage;
    std::optional<MatrixShape> m_matrices;
    VkDevice m_device = VK_NULL_HANDLE;
    VkQueue m_queue = VK_NULL_HANDLE;
    std::uint32_t m_queueFamily = 0;
    VolkDeviceTable m_table {};
    std::mutex m_queueMutex;
    std::atomic<bool> m_lost = false;
    std::atomic<std::uint64_t> m_allocated = 0;
};

} // namespace engine::backend::vulkan
