// Runs a graph on a Vulkan device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/host_copies.h"
#include "engine/backend/vulkan/recorded_runs.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine::backend::vulkan {

/// A batch of many tokens is cut into chunks, and a chunk into submissions that are short enough to
/// stop between them. What was recorded for a number of rows is used again.
class VulkanRunner final : public Runner
{
public:
    /// `stores`: whose weights it shares. Errors: DeviceOutOfMemory, DeviceLost, DeviceFailed,
    /// Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<Runner>>
    create(std::shared_ptr<Device> device, std::shared_ptr<Pipelines> pipelines,
           const model::Graph& graph, const RunnerOptions& options,
           std::shared_ptr<WeightStores> stores);

    Result<void> run(const Batch& batch, std::stop_token stop) override;
    std::uint32_t mostRows() const override { return m_setup->rows.all; }
    Result<void> writeSlot(model::Slot slot, std::span<const float> rows) override;
    Result<void> readSlot(model::Slot slot, std::span<float> rows) override;
    std::span<float> logits() override { return m_logits; }
    std::uint64_t stateBytes() const override { return m_setup->graph.stateBytes(); }
    void saveState(std::span<std::byte> out) const override;
    void restoreState(std::span<const std::byte> saved) override;
    std::uint64_t memoryBytes() const override;
    int threads() const override { return 0; }
    std::uint32_t deviceBlocks() const override
    {
        return static_cast<std::uint32_t>(m_setup->graph.blockStarts.size());
    }
    void startProfile() override;
    std::vector<OpTime> profile() const override { return m_times.all(); }

private:
    VulkanRunner(std::unique_ptr<const RunnerSetup> setup, std::unique_ptr<RunnerMemory> memory);
    Result<void> runChunk(std::span<const TokenId> tokens, std::uint32_t position, Outputs outputs,
                          const std::stop_token& stop);
    void readLogits(const RecordedRun& run);

    std::unique_ptr<const RunnerSetup> m_setup;
    std::unique_ptr<RunnerMemory> m_memory;
    HostCopies m_copies;
    OpTimes m_times;
    RecordedRuns m_runs;
    std::vector<float> m_logits;
};

} // namespace engine::backend::vulkan
