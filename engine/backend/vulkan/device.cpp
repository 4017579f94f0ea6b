#include "engine/backend/vulkan/device.h"

#include "engine/backend/vulkan/check.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace engine::backend::vulkan {

namespace {

/// Whether VITRINE_VULKAN_WITHOUT names a feature.
bool isUnwanted(std::string_view feature)
{
    const char* value = std::getenv("VITRINE_VULKAN_WITHOUT");
    std::string_view rest = value ? value : "";
    while (!rest.empty()) {
        const auto comma = std::min(rest.find(','), rest.size());
        if (rest.substr(0, comma) == feature) {
            return true;
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return false;
}

/// VITRINE_VULKAN_RANGE: fewer bytes of a binding of weights or cache than the device could have,
/// for tests.
std::uint64_t mostRange()
{
    const char* value = std::getenv("VITRINE_VULKAN_RANGE");
    return value ? std::strtoull(value, nullptr, 10) : UINT64_MAX;
}

DeviceFeatures wanted(DeviceFeatures features, std::span<const std::string> without)
{
    for (const auto& feature : namedFeatures()) {
        if (isUnwanted(feature.name) || std::ranges::find(without, feature.name) != without.end()) {
            features.*feature.isThere = false;
        }
    }
    return features;
}

std::uint32_t computeFamily(VkPhysicalDevice device)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    const auto family = std::ranges::find_if(
        families, [](const auto& f) { return (f.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0; });
    return static_cast<std::uint32_t>(family - families.begin());
}

} // namespace

Result<std::shared_ptr<Device>> Device::open(std::shared_ptr<Instance> instance,
                                             VkPhysicalDevice physical, DeviceFacts facts,
                                             std::span<const std::string> without)
{
    if (!facts.unfit.empty()) {
        return failure(ErrorCode::DeviceUnfit, { facts.name, facts.unfit });
    }
    auto device = std::shared_ptr<Device>(new Device);
    device->m_instance = std::move(instance);
    device->m_physical = physical;
    device->m_facts = std::move(facts);
    device->m_facts.features = wanted(device->m_facts.features, without);
    if (auto created = device->create(); !created) {
        return tl::unexpected(created.error());
    }
    return device;
}

Result<void> Device::create()
{
    m_mostRange = mostRange();
    m_isSoftware = m_facts.kind == DeviceKind::Software && !isUnwanted("software");
    const bool texels = isSoftware() && m_facts.features.subgroups && !isUnwanted("texels");
    m_variant = texels               ? ShaderVariant::Texels
        : m_facts.features.subgroups ? ShaderVariant::Storage
                                     : ShaderVariant::Plain;
    m_queueFamily = computeFamily(m_physical);
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue { VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO };
    queue.queueFamilyIndex = m_queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info { VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO };
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    std::vector<const char*> extensions;
    if (m_facts.features.hostImport) {
        extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    }
    if (m_facts.features.memoryBudget) {
        extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    }
    MatrixFeatureChain matrixFeatures;
    if (m_facts.features.cooperativeMatrix && !m_isSoftware) {
        m_matrices = matrixShape(m_instance->handle(), m_physical);
        extensions.push_back(kMatrixExtension);
        info.pNext = &matrixFeatures.matrices;
    }
    VkPhysicalDeviceShaderFloat16Int8Features arithmetic {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES
    };
    arithmetic.shaderFloat16 = VK_TRUE;
    VkPhysicalDeviceProperties properties {};
    vkGetPhysicalDeviceProperties(m_physical, &properties);
    if (m_facts.features.float16 && !info.pNext) { // what else is chained has it
        info.pNext = &arithmetic;
        if (properties.apiVersion < VK_API_VERSION_1_2) {
            extensions.push_back(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME);
        }
    }
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
        const_cast<void*>(info.pNext)
    };
    dot.shaderIntegerDotProduct = VK_TRUE;
    if (m_facts.features.integerDot) {
        info.pNext = &dot;
        if (properties.apiVersion < VK_API_VERSION_1_3) {
            extensions.push_back(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
        }
    }
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (auto made = check(vkCreateDevice(m_physical, &info, nullptr, &m_device), "vkCreateDevice");
        !made) {
        return made;
    }
    volkLoadDeviceTable(&m_table, m_device);
    m_table.vkGetDeviceQueue(m_device, m_queueFamily, 0, &m_queue);
    return {};
}

Device::~Device()
{
    if (m_device) {
        m_table.vkDeviceWaitIdle(m_device);
        m_table.vkDestroyDevice(m_device, nullptr);
    }
}

std::uint32_t Device::groupSize() const
{
    const auto wantedSize = isSoftware() ? m_facts.subgroupSize : 256U;
    return std::min(wantedSize, m_facts.maxInvocations);
}

std::uint64_t Device::inputRange(std::uint32_t pieceBytes) const
{
    constexpr std::uint64_t mostAddressable = 0xFFFFFFFF; // byte offsets in shaders have 32 bits
    return std::min({ readsTexels() ? m_facts.maxTexels * pieceBytes : m_facts.maxStorageRange,
                      mostAddressable, m_mostRange });
}

std::uint64_t Device::outputRange() const
{
    return std::min(m_facts.maxStorageRange, m_mostRange);
}

Submission& Submission::operator=(Submission&& other) noexcept
{
    (void)wait();
    m_device = std::exchange(other.m_device, nullptr);
    m_fence = std::exchange(other.m_fence, VK_NULL_HANDLE);
    return *this;
}

Result<void> Submission::wait()
{
    auto* fence = std::exchange(m_fence, VK_NULL_HANDLE);
    if (!fence) {
        return {};
    }
    const auto& vk = m_device->vk();
    const auto result = vk.vkWaitForFences(m_device->handle(), 1, &fence, VK_TRUE, UINT64_MAX);
    vk.vkDestroyFence(m_device->handle(), fence, nullptr);
    return m_device->ended(result);
}

Result<void> Device::ended(VkResult result)
{
    if (result == VK_ERROR_DEVICE_LOST) {
        m_lost = true;
        return failure(ErrorCode::DeviceLost, { m_facts.name });
    }
    return check(result, "vkQueueSubmit");
}

Result<void> Device::submit(std::span<const VkCommandBuffer> commands)
{
    auto started = start(commands);
    return started ? started->wait() : tl::unexpected(started.error());
}

Result<Submission> Device::start(std::span<const VkCommandBuffer> commands)
{
    if (faults.loseAfter >= 0 && faults.loseAfter-- == 0) {
        m_lost = true;
    }
    if (m_lost) {
        return failure(ErrorCode::DeviceLost, { m_facts.name });
    }
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo fenceInfo { VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    if (auto made =
            check(m_table.vkCreateFence(m_device, &fenceInfo, nullptr, &fence), "vkCreateFence");
        !made) {
        return tl::unexpected(made.error());
    }
    VkSubmitInfo info { VK_STRUCTURE_TYPE_SUBMIT_INFO };
    info.commandBufferCount = static_cast<std::uint32_t>(commands.size());
    info.pCommandBuffers = commands.data();
    VkResult result = VK_SUCCESS;
    {
        const std::lock_guard lock(m_queueMutex);
        result = m_table.vkQueueSubmit(m_queue, 1, &info, fence);
    }
    if (auto done = ended(result); !done) {
        m_table.vkDestroyFence(m_device, fence, nullptr);
        return tl::unexpected(done.error());
    }
    Submission submission;
    submission.m_device = this;
    submission.m_fence = fence;
    return submission;
}

Result<VkDeviceMemory> Device::allocate(VkDeviceSize bytes, std::uint32_t memoryType,
                                        const void* next)
{
    if (faults.failAllocation >= 0 && faults.failAllocation-- == 0) {
        return failure(ErrorCode::DeviceOutOfMemory, { std::to_string(bytes) + " bytes" });
    }
    VkMemoryAllocateInfo info { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next, bytes, memoryType };
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (auto made =
            check(m_table.vkAllocateMemory(m_device, &info, nullptr, &memory), "vkAllocateMemory");
        !made) {
        return tl::unexpected(made.error());
    }
    m_allocated += bytes;
    return memory;
}

void Device::free(VkDeviceMemory memory, VkDeviceSize bytes)
{
    if (memory) {
        m_table.vkFreeMemory(m_device, memory, nullptr);
        m_allocated -= bytes;
    }
}

} // namespace engine::backend::vulkan
