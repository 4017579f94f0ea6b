// What a runner keeps on the device: weights, activations, cache, states, the batch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/arena.h"
#include "engine/backend/vulkan/kv_cache.h"
#include "engine/backend/vulkan/recording.h"
#include "engine/backend/vulkan/runner_setup.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace engine::backend::vulkan {

class RunnerMemory
{
public:
    /// `setup` must outlive it. Errors: DeviceOutOfMemory, DeviceLost, DeviceFailed, Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<RunnerMemory>> create(const RunnerSetup& setup);

    /// What the next run works on.
    void writeBatch(std::span<const TokenId> tokens, std::uint32_t position);
    /// What ops see of it while they are recorded.
    [[nodiscard]] Recording recording(Recorder& recorder, Outputs outputs,
                                      std::uint32_t rows) const;
    /// For what is recorded with this memory; goes before it, after the programs.
    [[nodiscard]] Views& views() const { return *m_views; }

    [[nodiscard]] const std::vector<Range>& slots() const { return m_slots.ranges(); }
    [[nodiscard]] const Arena& states() const { return m_states; }
    /// Where runs leave their logits for the CPU.
    [[nodiscard]] const Buffer& readback() const { return *m_readback; }
    [[nodiscard]] std::uint64_t bytes() const;

private:
    explicit RunnerMemory(const RunnerSetup& setup);
    Result<void> allocate();
    Result<void> takeWeights();
    Result<void> allocateSlots();
    Result<void> allocateStates();
    Result<void> allocateCache();
    Result<void> allocateBatch();
    Result<void> allocateScratch();
    Result<void> clearSlots();

    const RunnerSetup& m_setup;
    std::shared_ptr<const WeightStore> m_weights; // others may have it too
    Arena m_slots;
    KvCache m_cache;
    Arena m_states;
    Arena m_batch; // header and tokens, then a table for each of the ropes
    std::unique_ptr<Buffer> m_readback;
    std::unique_ptr<Buffer> m_scratch; // may be null
    std::map<const model::RopeParameters*, Range> m_ropes;
    std::unique_ptr<Views> m_views; // of the buffers above
};

} // namespace engine::backend::vulkan
