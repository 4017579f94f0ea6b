#include "engine/backend/devices.h"
#include "engine/backend/vulkan/vulkan_runner.h"

namespace engine::backend {

namespace vulkan {

namespace {

class VulkanBackend final : public Backend
{
public:
    explicit VulkanBackend(std::shared_ptr<Device> device)
        : m_device(std::move(device))
        , m_pipelines(std::make_shared<Pipelines>(m_device))
    {
    }

    std::string description() const override { return "Vulkan " + m_device->facts().name; }

    std::vector<std::string> complaints() const override
    {
        return m_device->instance().validationMessages();
    }

    Result<std::unique_ptr<Runner>> prepare(const model::Graph& graph,
                                            const RunnerOptions& options) const override
    {
        return VulkanRunner::create(m_device, m_pipelines, graph, options);
    }

private:
    std::shared_ptr<Device> m_device;
    std::shared_ptr<Pipelines> m_pipelines;
};

} // namespace

} // namespace vulkan

Result<std::vector<DeviceFacts>> devices()
{
    const auto instance = vulkan::Instance::open();
    if (!instance) {
        return tl::unexpected(instance.error());
    }
    std::vector<DeviceFacts> all;
    for (auto* device : (*instance)->physicalDevices()) {
        all.push_back((*instance)->facts(device, static_cast<std::uint32_t>(all.size())));
    }
    return all;
}

Result<std::shared_ptr<const Backend>> openDevice(std::uint32_t index)
{
    auto instance = vulkan::Instance::open();
    if (!instance) {
        return tl::unexpected(instance.error());
    }
    const auto devices = (*instance)->physicalDevices();
    if (index >= devices.size()) {
        return failure(ErrorCode::NoSuchDevice,
                       { std::to_string(index), std::to_string(devices.size()) });
    }
    const auto facts = (*instance)->facts(devices[index], index);
    auto device = vulkan::Device::open(std::move(*instance), devices[index], facts);
    if (!device) {
        return tl::unexpected(device.error());
    }
    return std::make_shared<vulkan::VulkanBackend>(std::move(*device));
}

} // namespace engine::backend
