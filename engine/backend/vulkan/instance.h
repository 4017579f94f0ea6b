// The connection to Vulkan's loader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/devices.h"
#include "engine/backend/vulkan/api.h"
#include "engine/base/result.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace engine::backend::vulkan {

/// Thread-safe. With VITRINE_VULKAN_VALIDATION=1 in the environment the validation layer watches,
/// and what it says is kept.
class Instance
{
public:
    /// The same one for all, as long as somebody keeps it. Errors: NoVulkan (no loader, no driver).
    [[nodiscard]] static Result<std::shared_ptr<Instance>> open();
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] VkInstance handle() const { return m_instance; }
    /// In the order of the driver's list; facts[i].index is i.
    [[nodiscard]] std::vector<VkPhysicalDevice> physicalDevices() const;
    [[nodiscard]] DeviceFacts facts(VkPhysicalDevice device, std::uint32_t index) const;
    /// Errors and warnings of the validation layer so far.
    [[nodiscard]] std::vector<std::string> validationMessages() const;
    [[nodiscard]] bool validates() const { return m_messenger != VK_NULL_HANDLE; }

private:
    Instance() = default;
    [[nodiscard]] static Result<std::shared_ptr<Instance>> create();
    static VkBool32 VKAPI_PTR heard(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                    VkDebugUtilsMessageTypeFlagsEXT types,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);

    VkInstance m_instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_messages;
};

} // namespace engine::backend::vulkan
