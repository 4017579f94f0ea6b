// A graph's runs as command buffers, recorded once for each shape of batch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/fusion.h"
#include "engine/backend/vulkan/op_times.h"
#include "engine/backend/vulkan/runner_memory.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <stop_token>
#include <vector>

namespace engine::backend::vulkan {

/// One run. It is cut into submissions that are short enough to stop between them: by their
/// multiplications, and by how many a second the device was seen to do.
struct RecordedRun
{
    std::uint32_t rows = 0;
    Outputs outputs = Outputs::Last;
    std::unique_ptr<Program> program;
    std::uint32_t logitRows = 0;
    double work = 0; ///< multiplications, those of attention left out
    double attentionWork = 0; ///< those, at the end of the context
    double cutFor = 0; ///< multiplications a second that it was recorded for
    double rate = 0; ///< those that were measured
};

class RecordedRuns
{
public:
    /// All must outlive it.
    RecordedRuns(const RunnerSetup& setup, const RunnerMemory& memory, const OpTimes& times);

    /// Recorded now or earlier; valid until the next call. Errors: Cancelled, DeviceOutOfMemory,
    /// DeviceFailed.
    [[nodiscard]] Result<RecordedRun*> of(std::uint32_t rows, Outputs outputs,
                                          const std::stop_token& stop);
    /// `end`: the position behind its rows. Errors: Cancelled, DeviceLost, DeviceFailed.
    [[nodiscard]] Result<void> submit(RecordedRun& run, std::uint32_t end,
                                      const std::stop_token& stop) const;
    void forget() { m_runs.clear(); }

private:
    [[nodiscard]] Result<RecordedRun> record(std::uint32_t rows, Outputs outputs, double rate,
                                             const std::stop_token& stop) const;
    [[nodiscard]] double expectedRate(std::uint32_t rows) const;

    const RunnerSetup& m_setup;
    const RunnerMemory& m_memory;
    const OpTimes& m_times;
    std::vector<Step> m_steps;
    std::deque<RecordedRun> m_runs;
};

} // namespace engine::backend::vulkan
