// How long the ops of a runner take, by timestamps of the device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/vulkan/recorder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine::backend::vulkan {

/// A stamp after every node: it flushes, so that runs are slower meanwhile.
class OpTimes
{
public:
    /// The graph must outlive it.
    OpTimes(std::shared_ptr<Device> device, const model::Graph& graph);
    ~OpTimes();
    OpTimes(const OpTimes&) = delete;
    OpTimes& operator=(const OpTimes&) = delete;

    /// From now on, beginning at zero. What was recorded before is not measured.
    void start();
    /// Before the first node.
    void begin(Recorder& recorder) const;
    /// After nodes first … first + count - 1.
    void after(Recorder& recorder, std::size_t first, std::size_t count) const;
    /// Takes the stamps of a run that has ended.
    void read();
    [[nodiscard]] std::vector<OpTime> all() const;

private:
    std::shared_ptr<Device> m_device;
    const model::Graph& m_graph;
    VkQueryPool m_queries = VK_NULL_HANDLE; // none before the start, or where there are no stamps
    std::vector<OpTime> m_times; // by kind of node
};

} // namespace engine::backend::vulkan
