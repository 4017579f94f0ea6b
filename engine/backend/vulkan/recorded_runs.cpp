#include "engine/backend/vulkan/recorded_runs.h"

#include "engine/backend/vulkan/node_cost.h"

#include <algorithm>
#include <chrono>

namespace engine::backend::vulkan {

namespace {

constexpr double kSubmissionSeconds = 0.05; // a desktop stays usable, a stop is heard
constexpr std::size_t kMostRecorded = 8;
// Multiplications a second before anything was measured: too low only makes submissions short.
constexpr double kSoftwareRate = 3e9;
constexpr double kDeviceRate = 2e11;

} // namespace

RecordedRuns::RecordedRuns(const RunnerSetup& setup, const RunnerMemory& memory,
                           const OpTimes& times)
    : m_setup(setup)
    , m_memory(memory)
    , m_times(times)
    , m_steps(steps(setup.graph))
    , m_workPerSecond(setup.device->isSoftware() ? kSoftwareRate : kDeviceRate)
{
}

Result<const RecordedRun*> RecordedRuns::of(std::uint32_t rows, Outputs outputs)
{
    const auto found = std::ranges::find_if(
        m_runs, [&](const RecordedRun& r) { return r.rows == rows && r.outputs == outputs; });
    if (found != m_runs.end()) {
        return &*found;
    }
    auto made = record(rows, outputs);
    if (!made) {
        return tl::unexpected(made.error());
    }
    if (m_runs.size() == kMostRecorded) {
        // that of single tokens is used most: it stays
        const auto oldest = std::ranges::find_if(m_runs, [](const auto& r) { return r.rows > 1; });
        m_runs.erase(oldest == m_runs.end() ? m_runs.begin() : oldest);
    }
    m_runs.push_back(std::move(*made));
    return &m_runs.back();
}

Result<RecordedRun> RecordedRuns::record(std::uint32_t rows, Outputs outputs) const
{
    const auto& graph = m_setup.graph;
    Recorder recorder(m_setup.device, *m_setup.pipelines, m_memory.views());
    auto recording = m_memory.recording(recorder, outputs, rows);
    RecordedRun made { rows, outputs, nullptr, 0, 0 };
    double workOfPart = 0;
    m_times.begin(recorder);
    for (const auto& step : m_steps) {
        double work = 0;
        for (std::size_t i = 0; i < step.count; ++i) {
            work += multiplications(graph.nodes[step.first + i], graph, recording.rows,
                                    m_setup.options.contextLength);
        }
        if (workOfPart > 0 && workOfPart + work > m_workPerSecond * kSubmissionSeconds) {
            recorder.cut();
            workOfPart = 0;
        }
        step.record(recording);
        workOfPart += work;
        made.work += work;
        m_times.after(recorder, step.first, step.count);
        if (recording.rows == 0) {
            break; // nobody wants the logits
        }
    }
    const bool hasLogits = recording.width(graph.logits) > 0; // a part of a graph may have none
    made.logitRows = outputs == Outputs::None || !hasLogits ? 0 : recording.rows;
    if (made.logitRows > 0) {
        const auto range = recording.slot(graph.logits);
        recorder.copy(range, { &m_memory.readback(), 0, range.bytes });
    }
    auto program = recorder.finish();
    if (!program) {
        return tl::unexpected(program.error());
    }
    made.program = std::move(*program);
    return made;
}

Result<void> RecordedRuns::submit(const RecordedRun& run, const std::stop_token& stop)
{
    const auto start = std::chrono::steady_clock::now();
    for (const auto& part : run.program->parts()) {
        if (stop.stop_requested()) {
            return failure(ErrorCode::Cancelled);
        }
        if (auto done = m_setup.device->submit({ &part, 1 }); !done) {
            return done;
        }
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    // one slow run (pipelines are made at the first) says little
    m_workPerSecond = std::max(m_workPerSecond * 0.9, run.work / taken.count());
    return {};
}

} // namespace engine::backend::vulkan
