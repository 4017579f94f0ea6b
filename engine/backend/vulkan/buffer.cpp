#include "engine/backend/vulkan/buffer.h"

#include "engine/backend/vulkan/check.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

namespace engine::backend::vulkan {

namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kCoherent =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = kCoherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The first type of `allowed` that has all of `wanted` and, where it must not, none of `unwanted`.
std::optional<std::uint32_t> typeWith(const VkPhysicalDeviceMemoryProperties& memory,
                                      std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                                      VkMemoryPropertyFlags unwanted = 0)
{
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const auto flags = memory.memoryTypes[i].propertyFlags;
        if ((allowed & (1U << i)) != 0 && (flags & wanted) == wanted && (flags & unwanted) == 0) {
            return i;
        }
    }
    return std::nullopt;
}

/// Memory that both see is used for weights only where it is all of the device's memory: the small
/// window of GPUs without a resizable one fills up, and the rest would land in host memory.
std::optional<std::uint32_t> memoryTypeFor(const Device& device, std::uint32_t allowed,
                                           BufferUse use)
{
    VkPhysicalDeviceMemoryProperties memory {};
    vkGetPhysicalDeviceMemoryProperties(device.physical(), &memory);
    if (use == BufferUse::Upload) {
        return typeWith(memory, allowed, kCoherent);
    }
    if (use == BufferUse::Readback) {
        const auto cached = typeWith(memory, allowed, kCached);
        return cached ? cached : typeWith(memory, allowed, kCoherent);
    }
    if (device.facts().unified) {
        if (const auto both = typeWith(memory, allowed, kLocal | kCoherent)) {
            return both;
        }
    }
    const auto local = typeWith(memory, allowed, kLocal, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    return local ? local : typeWith(memory, allowed, kLocal);
}

// llvmpipe compiles a shader anew for buffers of a power of two bytes (and see Views).

/// So many bytes, and as many more that views can be made longer.
VkDeviceSize withSlack(VkDeviceSize bytes)
{
    const auto longer = bytes + kViewSlack;
    return std::has_single_bit(longer) ? longer + kViewSlack : longer;
}

/// As many of the bytes as make a good buffer, but those that are used.
VkDeviceSize withoutRest(VkDeviceSize bytes, VkDeviceSize used)
{
    constexpr VkDeviceSize texel = 16;
    return std::has_single_bit(bytes) && used + texel <= bytes ? bytes - texel : bytes;
}

} // namespace

void poison(const Buffer& buffer)
{
    if (std::getenv("VITRINE_VULKAN_POISON")) {
        std::ranges::fill(buffer.mapped(), std::byte { 0xFF });
    }
}

Buffer::Buffer(std::shared_ptr<Device> device, VkDeviceSize bytes)
    : m_device(std::move(device))
    , m_bytes(bytes)
{
}

Buffer::~Buffer()
{
    const auto& vk = m_device->vk();
    vk.vkDestroyBuffer(m_device->handle(), m_buffer, nullptr);
    m_device->free(m_memory, m_memoryBytes);
}

Result<std::unique_ptr<Buffer>> Buffer::create(std::shared_ptr<Device> device, VkDeviceSize bytes,
                                               BufferUse use)
{
    auto buffer = std::unique_ptr<Buffer>(new Buffer(std::move(device), bytes));
    if (auto made = buffer->make(use); !made) {
        return tl::unexpected(made.error());
    }
    return buffer;
}

Result<std::unique_ptr<Buffer>> Buffer::import(std::shared_ptr<Device> device,
                                               std::span<const std::byte> bytes, VkDeviceSize used)
{
    const auto size =
        device->readsTexels() ? withoutRest(bytes.size(), used) : VkDeviceSize(bytes.size());
    auto buffer = std::unique_ptr<Buffer>(new Buffer(std::move(device), size));
    if (auto made = buffer->makeOf(bytes); !made) {
        return tl::unexpected(made.error());
    }
    return buffer;
}

Result<void> Buffer::createHandle(VkDeviceSize bytes, const void* next)
{
    m_viewable = bytes;
    VkBufferCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO };
    info.pNext = next;
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT
        | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return check(m_device->vk().vkCreateBuffer(m_device->handle(), &info, nullptr, &m_buffer),
                 "vkCreateBuffer");
}

Result<void> Buffer::make(BufferUse use)
{
    if (auto made = createHandle(m_device->readsTexels() ? withSlack(m_bytes) : m_bytes, nullptr);
        !made) {
        return made;
    }
    const auto& vk = m_device->vk();
    VkMemoryRequirements needs {};
    vk.vkGetBufferMemoryRequirements(m_device->handle(), m_buffer, &needs);
    const auto type = memoryTypeFor(*m_device, needs.memoryTypeBits, use);
    if (!type) {
        return failure(ErrorCode::DeviceFailed, { "vkAllocateMemory", "no fitting memory type" });
    }
    auto memory = m_device->allocate(needs.size, *type);
    if (!memory) {
        return tl::unexpected(memory.error());
    }
    m_memory = *memory;
    m_memoryBytes = needs.size;
    if (auto bound = check(vk.vkBindBufferMemory(m_device->handle(), m_buffer, m_memory, 0),
                           "vkBindBufferMemory");
        !bound) {
        return bound;
    }
    VkPhysicalDeviceMemoryProperties properties {};
    vkGetPhysicalDeviceMemoryProperties(m_device->physical(), &properties);
    if ((properties.memoryTypes[*type].propertyFlags & kCoherent) != kCoherent
        || (use == BufferUse::Device && !m_device->facts().unified)) {
        return {};
    }
    void* data = nullptr;
    if (auto done = check(vk.vkMapMemory(m_device->handle(), m_memory, 0, VK_WHOLE_SIZE, 0, &data),
                          "vkMapMemory");
        !done) {
        return done;
    }
    m_mapped = { static_cast<std::byte*>(data), m_bytes };
    return {};
}

Result<void> Buffer::makeOf(std::span<const std::byte> bytes)
{
    constexpr auto handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkExternalMemoryBufferCreateInfo external {
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
    };
    external.handleTypes = handleType;
    if (auto made = createHandle(m_bytes, &external); !made) {
        return made;
    }
    const auto& vk = m_device->vk();
    // the device only reads it; Vulkan's interface has no word for that
    auto* pointer = const_cast<std::byte*>(bytes.data());
    VkMemoryHostPointerPropertiesEXT properties {
        VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT
    };
    if (auto asked = check(vk.vkGetMemoryHostPointerPropertiesEXT(m_device->handle(), handleType,
                                                                  pointer, &properties),
                           "vkGetMemoryHostPointerPropertiesEXT");
        !asked) {
        return asked;
    }
    VkMemoryRequirements needs {};
    vk.vkGetBufferMemoryRequirements(m_device->handle(), m_buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory {};
    vkGetPhysicalDeviceMemoryProperties(m_device->physical(), &memory);
    const auto type = typeWith(memory, needs.memoryTypeBits & properties.memoryTypeBits, 0);
    if (!type || needs.size > bytes.size()) {
        return failure(ErrorCode::DeviceFailed, { "vkAllocateMemory", "no fitting memory type" });
    }
    VkImportMemoryHostPointerInfoEXT info { VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT };
    info.handleType = handleType;
    info.pHostPointer = pointer;
    auto allocated = m_device->allocate(bytes.size(), *type, &info);
    if (!allocated) {
        return tl::unexpected(allocated.error());
    }
    m_memory = *allocated;
    m_memoryBytes = bytes.size();
    return check(vk.vkBindBufferMemory(m_device->handle(), m_buffer, m_memory, 0),
                 "vkBindBufferMemory");
}

} // namespace engine::backend::vulkan
