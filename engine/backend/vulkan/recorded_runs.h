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

/// One run. It is cut into submissions that are short enough to stop between them.
struct RecordedRun
{
    std::uint32_t rows = 0;
    Outputs outputs = Outputs::Last;
    std::unique_ptr<Program> program;
    std::uint32_t logitRows = 0;
    double work = 0; ///< multiplications
};

class RecordedRuns
{
public:
    /// All must outlive it.
    RecordedRuns(const RunnerSetup& setup, const RunnerMemory& memory, const OpTimes& times);

    /// Recorded now or earlier; valid until the next call.
    [[nodiscard]] Result<const RecordedRun*> of(std::uint32_t rows, Outputs outputs);
    /// Errors: Cancelled, DeviceLost, DeviceFailed.
    [[nodiscard]] Result<void> submit(const RecordedRun& run, const std::stop_token& stop);
    void forget() { m_runs.clear(); }

private:
    [[nodiscard]] Result<RecordedRun> record(std::uint32_t rows, Outputs outputs) const;

    const RunnerSetup& m_setup;
    const RunnerMemory& m_memory;
    const OpTimes& m_times;
    std::vector<Step> m_steps;
    std::deque<RecordedRun> m_runs;
    double m_workPerSecond; // as measured, of submissions
};

} // namespace engine::backend::vulkan
