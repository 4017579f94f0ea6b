#include "engine/backend/vulkan/views.h"

#include "engine/backend/vulkan/check.h"

namespace engine::backend::vulkan {

namespace {

VkFormat formatOf(Format format)
{
    switch (format) {
    case Format::Floats:
        return VK_FORMAT_R32G32B32A32_SFLOAT;
    case Format::Bits:
        return VK_FORMAT_R32G32B32A32_UINT;
    case Format::Halves:
        break;
    }
    return VK_FORMAT_R16G16B16A16_SFLOAT;
}

VkDeviceSize bytesOf(Format format)
{
    return format == Format::Halves ? 8 : 16;
}

/// llvmpipe takes the second byte of a view's length for a number of mipmap levels, and compiles a
/// shader anew where it is 0 for one of its views and was not before: none has a 0 there, if the
/// buffer and the device allow.
VkDeviceSize lengthOfView(const Range& range, VkDeviceSize most)
{
    const bool isOdd = (range.bytes & 0xFF00) == 0;
    const auto longer = range.bytes + kViewSlack;
    return isOdd && longer <= most && range.offset + longer <= range.buffer->viewable()
        ? longer
        : range.bytes;
}

} // namespace

Views::Views(std::shared_ptr<Device> device)
    : m_device(std::move(device))
{
}

Views::~Views()
{
    for (const auto& [key, view] : m_views) {
        m_device->vk().vkDestroyBufferView(m_device->handle(), view, nullptr);
    }
}

Result<VkBufferView> Views::get(const Range& range, Format format)
{
    const Key key { range.buffer->handle(), range.offset, range.bytes, format };
    if (const auto found = m_views.find(key); found != m_views.end()) {
        return found->second;
    }
    VkBufferViewCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO };
    info.buffer = range.buffer->handle();
    info.format = formatOf(format);
    info.offset = range.offset;
    info.range = lengthOfView(range, m_device->facts().maxTexels * bytesOf(format));
    VkBufferView view = VK_NULL_HANDLE;
    if (auto made =
            check(m_device->vk().vkCreateBufferView(m_device->handle(), &info, nullptr, &view),
                  "vkCreateBufferView");
        !made) {
        return tl::unexpected(made.error());
    }
    m_views.emplace(key, view);
    return view;
}

} // namespace engine::backend::vulkan
