#include "engine/backend/vulkan/recorded_runs.h"

#include <algorithm>
#include <chrono>

namespace engine::backend::vulkan {

namespace {

constexpr double kSubmissionSeconds = 0.05; // a desktop stays usable, a stop is heard
constexpr double kMuch = 2; // so many times too long or too short: worth another recording
constexpr std::size_t kMostRecorded = 8;
// Multiplications a second before anything was measured: too low only makes submissions short.
constexpr double kSoftwareRate = 3e9;
constexpr double kDeviceRate = 2e11;

/// Whether submissions take much longer than they should, or there are needlessly many.
bool isBadlyCut(const RecordedRun& run)
{
    const auto longest = std::min(run.work + run.attentionWork, run.cutFor * kSubmissionSeconds);
    return longest > kMuch * run.rate * kSubmissionSeconds
        || (run.program->parts().size() > 1 && run.rate > kMuch * run.cutFor);
}

} // namespace

RecordedRuns::RecordedRuns(const RunnerSetup& setup, const RunnerMemory& memory,
                           const OpTimes& times)
    : m_setup(setup)
    , m_memory(memory)
    , m_times(times)
    , m_steps(steps(setup.graph))
{
}

/// A run takes no longer than one of more rows does, and more rows cost less each. As a rule fewer
/// rows are nearly as fast as the device's other runs: less than a guess is not assumed of them.
double RecordedRuns::expectedRate(std::uint32_t rows) const
{
    const auto guess = m_setup.device->isSoftware() ? kSoftwareRate : kDeviceRate;
    double best = m_runs.empty() ? guess : 0;
    double sure = 0;
    for (const auto& run : m_runs) {
        best = std::max(best, run.rate);
        sure = std::max(sure, run.rate * std::min(1.0, double(rows) / run.rows));
    }
    return std::max(sure, std::min(guess, best));
}

Result<RecordedRun*> RecordedRuns::of(std::uint32_t rows, Outputs outputs,
                                      const std::stop_token& stop)
{
    const auto found = std::ranges::find_if(
        m_runs, [&](const RecordedRun& r) { return r.rows == rows && r.outputs == outputs; });
    const bool isThere = found != m_runs.end();
    if (isThere && (m_setup.options.submissionWork || !isBadlyCut(*found))) {
        return &*found;
    }
    auto made = record(rows, outputs, isThere ? found->rate : expectedRate(rows), stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    if (isThere) {
        *found = std::move(*made);
        return &*found;
    }
    if (m_runs.size() == kMostRecorded) {
        // that of single tokens is used most: it stays
        const auto oldest = std::ranges::find_if(m_runs, [](const auto& r) { return r.rows > 1; });
        m_runs.erase(oldest == m_runs.end() ? m_runs.begin() : oldest);
    }
    m_runs.push_back(std::move(*made));
    return &m_runs.back();
}

Result<RecordedRun> RecordedRuns::record(std::uint32_t rows, Outputs outputs, double rate,
                                         const std::stop_token& stop) const
{
    const auto& graph = m_setup.graph;
    Recorder recorder(m_setup.device, *m_setup.pipelines, m_memory.views());
    recorder.bound(m_setup.options.submissionWork.value_or(rate * kSubmissionSeconds));
    auto recording = m_memory.recording(recorder, outputs, rows);
    RecordedRun made { .rows = rows, .outputs = outputs, .cutFor = rate, .rate = rate };
    m_times.begin(recorder);
    for (const auto& step : m_steps) {
        if (stop.stop_requested()) { // pipelines may take long to make
            return failure(ErrorCode::Cancelled);
        }
        step.record(recording);
        m_times.after(recorder, step.first, step.count);
        if (recording.rows == 0) {
            break; // nobody wants the logits
        }
    }
    made.attentionWork = recording.attentionWork;
    made.work = recorder.work() - made.attentionWork;
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

Result<void> RecordedRuns::submit(RecordedRun& run, std::uint32_t end,
                                  const std::stop_token& stop) const
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
    const auto work = run.work + run.attentionWork * end / m_setup.options.contextLength;
    if (work > 0) {
        // one slow run (pipelines are made at the first) is not enough to record anew
        run.rate = std::max(run.rate / kMuch, work / taken.count());
    }
    return {};
}

} // namespace engine::backend::vulkan
