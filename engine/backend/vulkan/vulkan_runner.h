// Runs a graph on a Vulkan device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/vulkan/arena.h"
#include "engine/backend/vulkan/fusion.h"
#include "engine/backend/vulkan/recording.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace engine::backend::vulkan {

/// A batch of many tokens is cut into chunks, and a chunk into submissions that are short enough to
/// stop between them. What was recorded for a number of rows is used again.
class VulkanRunner final : public Runner
{
public:
    /// Errors: DeviceOutOfMemory, DeviceLost, DeviceFailed, Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<Runner>>
    create(std::shared_ptr<Device> device, std::shared_ptr<Pipelines> pipelines,
           const model::Graph& graph, const RunnerOptions& options);
    ~VulkanRunner() override;

    Result<void> run(const Batch& batch, std::stop_token stop) override;
    std::uint32_t mostRows() const override { return m_chunkRows; }
    Result<void> writeSlot(model::Slot slot, std::span<const float> rows) override;
    Result<void> readSlot(model::Slot slot, std::span<float> rows) override;
    std::span<float> logits() override { return m_logits; }
    std::uint64_t stateBytes() const override { return m_graph.stateBytes(); }
    void saveState(std::span<std::byte> out) const override;
    void restoreState(std::span<const std::byte> saved) override;
    std::uint64_t memoryBytes() const override;
    int threads() const override { return 0; }
    void startProfile() override;
    std::vector<OpTime> profile() const override;

private:
    /// What was recorded for batches of one shape.
    struct Recorded
    {
        std::uint32_t rows = 0;
        Outputs outputs = Outputs::Last;
        std::unique_ptr<Program> program;
        std::uint32_t logitRows = 0;
        double work = 0; ///< multiplications
    };

    VulkanRunner(std::shared_ptr<Device> device, std::shared_ptr<Pipelines> pipelines,
                 const model::Graph& graph, const RunnerOptions& options);
    Result<void> allocate();
    Result<void> allocateCache();
    Result<void> allocateBatch();
    Result<void> runChunk(std::span<const TokenId> tokens, std::uint32_t position, Outputs outputs,
                          const std::stop_token& stop);
    void writeBatch(std::span<const TokenId> tokens, std::uint32_t position);
    Result<Recorded*> recorded(std::uint32_t rows, Outputs outputs);
    Result<Recorded> record(std::uint32_t rows, Outputs outputs);
    Result<void> submit(const Recorded& recorded, const std::stop_token& stop);
    void readLogits(const Recorded& recorded);
    Result<void> clearStates();
    Result<void> copyStates(bool toDevice) const;
    /// Rows of a slot on the device; m_exchange is large enough for them.
    Result<Range> exchangeRange(model::Slot slot, std::size_t floats);
    /// Rows of a slot between the device and m_exchange.
    Result<void> exchange(const Range& slot, bool toDevice);
    void readProfile();

    std::shared_ptr<Device> m_device;
    std::shared_ptr<Pipelines> m_pipelines;
    const model::Graph& m_graph;
    std::vector<Step> m_steps;
    RunnerOptions m_options;
    std::uint32_t m_chunkRows;
    std::unique_ptr<WeightStore> m_weights;
    Arena m_slots;
    Arena m_cacheMemory;
    Arena m_states;
    Arena m_batch; // header and tokens, then a table for each of the ropes
    std::unique_ptr<Buffer> m_readback; // logits
    std::unique_ptr<Buffer> m_exchange; // slots that another runner writes or reads
    std::unique_ptr<Buffer> m_scratch; // may be null
    std::unique_ptr<Buffer> m_stateCopy; // between the states and the CPU
    std::vector<CacheLayer> m_cache;
    std::map<const model::RopeParameters*, Range> m_ropes;
    std::unique_ptr<Views> m_views; // of the buffers above
    std::deque<Recorded> m_recorded;
    std::vector<float> m_logits;
    double m_workPerSecond; // as measured, of submissions
    // a profile takes the time between nodes
    VkQueryPool m_queries = VK_NULL_HANDLE;
    std::vector<OpTime> m_times;
};

} // namespace engine::backend::vulkan
