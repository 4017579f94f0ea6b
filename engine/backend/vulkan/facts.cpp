// What a physical device tells about itself.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/fitness.h"
#include "engine/backend/vulkan/instance.h"
#include "engine/backend/vulkan/matrix_shape.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace engine::backend::vulkan {

namespace {

DeviceKind kindOf(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return DeviceKind::Discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return DeviceKind::Integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return DeviceKind::Virtual;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return DeviceKind::Software;
    default:
        return DeviceKind::Other;
    }
}

std::string versionText(std::uint32_t version)
{
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "."
        + std::to_string(VK_API_VERSION_MINOR(version)) + "."
        + std::to_string(VK_API_VERSION_PATCH(version));
}

std::vector<VkExtensionProperties> extensionsOf(VkPhysicalDevice device)
{
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    extensions.resize(count);
    return extensions;
}

/// Appends a structure to the chain that begins at `head`.
template <typename Head, typename Next>
void chain(Head& head, Next& next)
{
    next.pNext = head.pNext;
    head.pNext = &next;
}

/// Its limits, and whether it has a queue for compute.
std::string reasonNot(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties)
{
    if (auto reason = unfitReason(properties); !reason.empty()) {
        return reason;
    }
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    const bool computes = std::ranges::any_of(families, [](const auto& family) {
        return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    });
    return computes ? "" : "it has no queue for compute shaders";
}

/// Whether integer dot products are worth it: some drivers make them of other instructions, and
/// AMD's own compute wrongly with them (audio.cpp#193, llama.cpp#27007). Software devices, where
/// they are used in tests alone, need not be fast.
bool multipliesBytes(DeviceKind kind, VkDriverId driver,
                     const VkPhysicalDeviceShaderIntegerDotProductProperties& dot)
{
    return kind == DeviceKind::Software
        || (dot.integerDotProduct4x8BitPackedSignedAccelerated
            && driver != VK_DRIVER_ID_AMD_PROPRIETARY);
}

void readMemory(VkPhysicalDevice device, bool knowsBudget, DeviceFacts& facts)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
    };
    VkPhysicalDeviceMemoryProperties2 memory {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2
    };
    if (knowsBudget) {
        chain(memory, budget);
    }
    vkGetPhysicalDeviceMemoryProperties2(device, &memory);
    const auto& properties = memory.memoryProperties;
    for (std::uint32_t i = 0; i < properties.memoryHeapCount; ++i) {
        const auto& heap = properties.memoryHeaps[i];
        if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0 || heap.size <= facts.memoryBytes) {
            continue;
        }
        facts.memoryBytes = heap.size;
        facts.freeBytes = !knowsBudget ? heap.size
            : budget.heapBudget[i] > budget.heapUsage[i]
            ? budget.heapBudget[i] - budget.heapUsage[i]
            : 0;
    }
    facts.unified = facts.kind == DeviceKind::Integrated || facts.kind == DeviceKind::Software;
}

} // namespace

std::string unfitReason(const VkPhysicalDeviceProperties& properties)
{
    if (properties.apiVersion < VK_API_VERSION_1_1) {
        return "its driver knows only Vulkan " + versionText(properties.apiVersion)
            + "; 1.1 is needed";
    }
    constexpr std::uint32_t kBindings = 10; // of the op with most of them
    const auto bindings = std::min(properties.limits.maxPerStageDescriptorStorageBuffers,
                                   properties.limits.maxDescriptorSetStorageBuffers);
    return bindings < kBindings ? "its shaders see only " + std::to_string(bindings) + " buffers; "
            + std::to_string(kBindings) + " are needed"
                                : "";
}

DeviceFacts Instance::facts(VkPhysicalDevice device, std::uint32_t index) const
{
    DeviceFacts facts;
    facts.index = index;
    VkPhysicalDeviceProperties plain {};
    vkGetPhysicalDeviceProperties(device, &plain);
    facts.name = plain.deviceName;
    facts.kind = kindOf(plain.deviceType);
    facts.apiVersion = versionText(plain.apiVersion);
    facts.vendorId = plain.vendorID;
    facts.deviceId = plain.deviceID;
    facts.driverVersion = plain.driverVersion;
    std::copy_n(plain.pipelineCacheUUID, facts.cacheUuid.size(), facts.cacheUuid.begin());
    facts.unfit = reasonNot(device, plain);
    if (!facts.unfit.empty()) {
        return facts;
    }

    const auto extensions = extensionsOf(device);
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(extensions,
                                   [&](const auto& e) { return name == e.extensionName; });
    };
    VkPhysicalDeviceProperties2 properties { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 };
    VkPhysicalDeviceSubgroupProperties subgroup {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES
    };
    VkPhysicalDeviceDriverProperties driver { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES };
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT import {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT
    };
    const bool is12 = plain.apiVersion >= VK_API_VERSION_1_2;
    const bool knowsDot = plain.apiVersion >= VK_API_VERSION_1_3
        || has(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
    VkPhysicalDeviceShaderIntegerDotProductProperties dotProperties {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES
    };
    chain(properties, subgroup);
    if (knowsDot) {
        chain(properties, dotProperties);
    }
    if (is12 || has(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
        chain(properties, driver);
    }
    facts.features.hostImport = has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    if (facts.features.hostImport) {
        chain(properties, import);
    }
    vkGetPhysicalDeviceProperties2(device, &properties);

    VkPhysicalDeviceFeatures2 features { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 };
    VkPhysicalDevice16BitStorageFeatures storage16 {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES
    };
    VkPhysicalDevice8BitStorageFeatures storage8 {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES
    };
    VkPhysicalDeviceShaderFloat16Int8Features arithmetic {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES
    };
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES
    };
    chain(features, storage16);
    if (is12 || has(VK_KHR_8BIT_STORAGE_EXTENSION_NAME)) {
        chain(features, storage8);
    }
    if (is12 || has(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME)) {
        chain(features, arithmetic);
    }
    if (knowsDot) {
        chain(features, dot);
    }
    vkGetPhysicalDeviceFeatures2(device, &features);

    // shaders that read texels, on software devices, shuffle too
    const VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_BASIC_BIT
        | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT
        | (facts.kind == DeviceKind::Software ? VK_SUBGROUP_FEATURE_SHUFFLE_BIT : 0);
    facts.features.subgroups = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0
        && (subgroup.supportedOperations & needed) == needed;
    facts.features.float16 = arithmetic.shaderFloat16;
    facts.features.storage16 = storage16.storageBuffer16BitAccess;
    facts.features.storage8 = storage8.storageBuffer8BitAccess;
    facts.features.integerDot =
        dot.shaderIntegerDotProduct && multipliesBytes(facts.kind, driver.driverID, dotProperties);
    // validation layers before 1.3.255 take what belongs to them for faults
    facts.features.cooperativeMatrix = !validates() && matrixShape(m_instance, device);
    facts.features.memoryBudget = has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    facts.driver = driver.driverName;
    if (driver.driverInfo[0] != '\0') {
        facts.driver += std::string(facts.driver.empty() ? "" : " ") + driver.driverInfo;
    }
    facts.subgroupSize = std::max(1U, subgroup.subgroupSize);
    facts.importAlignment = import.minImportedHostPointerAlignment;

    const auto& limits = plain.limits;
    facts.maxStorageRange = limits.maxStorageBufferRange;
    facts.maxTexels = limits.maxTexelBufferElements;
    facts.offsetAlignment = std::max({ limits.minStorageBufferOffsetAlignment,
                                       limits.minTexelBufferOffsetAlignment, VkDeviceSize(16) });
    facts.maxInvocations =
        std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    facts.maxGroups =
        *std::min_element(limits.maxComputeWorkGroupCount, limits.maxComputeWorkGroupCount + 3);
    facts.sharedBytes = limits.maxComputeSharedMemorySize;
    facts.features.timestamps = limits.timestampComputeAndGraphics;
    facts.timestampPeriod = limits.timestampPeriod;
    readMemory(device, facts.features.memoryBudget, facts);
    return facts;
}

} // namespace engine::backend::vulkan
