#include "engine/backend/vulkan/op_times.h"

#include <algorithm>
#include <iterator>
#include <variant>

namespace engine::backend::vulkan {

OpTimes::OpTimes(std::shared_ptr<Device> device, const model::Graph& graph)
    : m_device(std::move(device))
    , m_graph(graph)
{
}

OpTimes::~OpTimes()
{
    if (m_queries) {
        m_device->vk().vkDestroyQueryPool(m_device->handle(), m_queries, nullptr);
    }
}

void OpTimes::start()
{
    m_times.assign(std::variant_size_v<model::Node>, {});
    if (m_queries || !m_device->facts().features.timestamps) {
        return;
    }
    VkQueryPoolCreateInfo info { VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO };
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = static_cast<std::uint32_t>(m_graph.nodes.size()) + 1;
    if (m_device->vk().vkCreateQueryPool(m_device->handle(), &info, nullptr, &m_queries)
        != VK_SUCCESS) {
        m_queries = VK_NULL_HANDLE;
    }
}

void OpTimes::begin(Recorder& recorder) const
{
    if (m_queries) {
        recorder.resetQueries(m_queries, static_cast<std::uint32_t>(m_graph.nodes.size()) + 1);
        recorder.timestamp(m_queries, 0);
    }
}

void OpTimes::after(Recorder& recorder, std::size_t first, std::size_t count) const
{
    for (auto node = first; m_queries && node < first + count; ++node) {
        recorder.timestamp(m_queries, static_cast<std::uint32_t>(node) + 1);
    }
}

void OpTimes::read()
{
    if (!m_queries) {
        return;
    }
    // of nodes that did not run there is no stamp
    std::vector<std::uint64_t> stamps(2 * (m_graph.nodes.size() + 1));
    m_device->vk().vkGetQueryPoolResults(
        m_device->handle(), m_queries, 0, static_cast<std::uint32_t>(stamps.size() / 2),
        stamps.size() * sizeof(std::uint64_t), stamps.data(), 2 * sizeof(std::uint64_t),
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (std::size_t i = 0; i < m_graph.nodes.size() && stamps[2 * i + 3] != 0; ++i) {
        auto& time = m_times[m_graph.nodes[i].index()];
        time.op = model::opName(m_graph.nodes[i]);
        ++time.calls;
        time.milliseconds +=
            double(stamps[2 * i + 2] - stamps[2 * i]) * m_device->facts().timestampPeriod * 1e-6;
    }
}

std::vector<OpTime> OpTimes::all() const
{
    std::vector<OpTime> used;
    std::ranges::copy_if(m_times, std::back_inserter(used),
                         [](const OpTime& time) { return time.calls > 0; });
    return used;
}

} // namespace engine::backend::vulkan
