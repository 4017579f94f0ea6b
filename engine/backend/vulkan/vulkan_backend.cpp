#include "engine/backend/devices.h"
#include "engine/backend/graph_parts.h"
#include "engine/backend/offload.h"
#include "engine/backend/split_runner.h"
#include "engine/backend/vulkan/shader_types.h"
#include "engine/backend/vulkan/vulkan_runner.h"
#include "engine/model/node_weights.h"

#include <algorithm>
#include <functional>

namespace engine::backend {

namespace vulkan {

namespace {

/// Whether there are shaders for all that a node reads.
bool canRun(const model::Node& node)
{
    bool can = true;
    model::forEachMatrix(node, [&](const model::Matrix& matrix) {
        can = can && !shaderSuffix(matrix.type).empty();
    });
    return can;
}

class VulkanBackend final : public Backend
{
public:
    VulkanBackend(std::shared_ptr<Device> device, const std::filesystem::path& cacheDirectory)
        : m_device(std::move(device))
        , m_pipelines(std::make_shared<Pipelines>(m_device, cacheDirectory))
        , m_stores(std::make_shared<WeightStores>(m_device))
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
        const auto onDevice = placement(graph, options);
        if (std::ranges::none_of(onDevice, std::identity())) {
            return cpuBackend().prepare(graph, options);
        }
        if (std::ranges::all_of(onDevice, std::identity())) {
            return VulkanRunner::create(m_device, m_pipelines, graph, options, m_stores);
        }
        return splitRunner(splitGraph(graph, onDevice), *this, options);
    }

    /// The driver and other programs need some as well.
    std::uint64_t freeBytes() const override
    {
        constexpr double kShare = 0.9;
        if (m_device->isSoftware()) {
            return UINT64_MAX;
        }
        const auto facts =
            m_device->instance().facts(m_device->physical(), m_device->facts().index);
        return static_cast<std::uint64_t>(kShare * double(facts.freeBytes));
    }

    OffloadNeeds needs(const model::Graph& graph, const RunnerOptions& options) const override
    {
        return offloadNeeds(graph, options, memoryLayout(*m_device, graph, options.batchLength));
    }

    std::uint32_t deviceBlocks(const model::Graph& graph,
                               const RunnerOptions& options) const override
    {
        const auto onDevice = placement(graph, options);
        return static_cast<std::uint32_t>(std::ranges::count_if(
            graph.blockStarts, [&](std::uint32_t node) { return onDevice[node]; }));
    }

    HeldWeights heldWeights(const model::Graph& graph, std::uint32_t blocks) const override
    {
        if (m_stores->isEmpty()) {
            return {};
        }
        std::vector<std::shared_ptr<const WeightStore>> found;
        for (const auto& run : nodeRuns(nodesOf(graph, blocks))) {
            const auto nodes = std::span(graph.nodes).subspan(run.first, run.last - run.first);
            if (auto store = run.onDevice ? m_stores->find(nodes) : nullptr) {
                found.push_back(std::move(store));
            }
        }
        HeldWeights held;
        if (!found.empty()) {
            for (const auto& store : found) {
                held.bytes += store->bytes();
            }
            held.hold = std::make_shared<decltype(found)>(std::move(found));
        }
        return held;
    }

private:
    /// For each node whether it runs here, with the last `blocks` blocks.
    static std::vector<bool> nodesOf(const model::Graph& graph, std::uint32_t blocks)
    {
        const auto all = std::max(1U, static_cast<std::uint32_t>(graph.blockStarts.size()));
        return deviceNodes(graph, std::min(blocks, all), canRun);
    }

    /// The same for as many blocks as fit, unless said.
    [[nodiscard]] std::vector<bool> placement(const model::Graph& graph,
                                              const RunnerOptions& options) const
    {
        if (options.deviceBlocks) {
            return nodesOf(graph, *options.deviceBlocks);
        }
        const auto wanted = needs(graph, options);
        const auto there = [&](std::uint32_t count) { return heldWeights(graph, count).bytes; };
        return nodesOf(graph,
                       wanted.blocks.empty() ? 1 : fittingBlocks(wanted, freeBytes(), there));
    }

    std::shared_ptr<Device> m_device;
    std::shared_ptr<Pipelines> m_pipelines;
    std::shared_ptr<WeightStores> m_stores; // of all sessions
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

Result<std::shared_ptr<const Backend>> openDevice(std::uint32_t index,
                                                  const std::string& cacheDirectory,
                                                  std::span<const std::string> without)
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
    auto device = vulkan::Device::open(std::move(*instance), devices[index], facts, without);
    if (!device) {
        return tl::unexpected(device.error());
    }
    return std::make_shared<vulkan::VulkanBackend>(std::move(*device), cacheDirectory);
}

} // namespace engine::backend
