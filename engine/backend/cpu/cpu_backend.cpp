#include "engine/backend/cpu/execution.h"
#include "engine/base/cpu_features.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace engine::backend {

namespace cpu {

namespace {

class CpuRunner final : public Runner
{
public:
    CpuRunner(const Kernels& kernels, const model::Graph& graph, const RunnerOptions& options,
              int threads)
        : m_graph(graph)
        , m_batchLength(options.batchLength)
        , m_execution(kernels, threads)
    {
        m_execution.activations = options.activations;
        m_execution.contextLength = options.contextLength;
        m_execution.widths = graph.slotWidths;
        m_execution.slots.resize(graph.slotWidths.size());
    }

    Result<void> allocate(const RunnerOptions& options)
    {
        if (auto made = m_execution.states.allocate(m_graph.states); !made) {
            return made;
        }
        return m_execution.cache.allocate(m_graph.kv, options.cacheType, options.contextLength);
    }

    Result<void> run(const Batch& batch, std::stop_token stop) override
    {
        m_execution.batch = batch;
        m_execution.stop = std::move(stop);
        m_execution.rows = batch.tokens.size();
        for (auto& table : m_execution.ropes) {
            table.parameters = nullptr;
        }
        if (batch.position == 0) {
            m_execution.states.clear();
        }
        for (const auto& node : m_graph.nodes) {
            runNode(node);
            if (m_execution.stop.stop_requested()) {
                return failure(ErrorCode::Cancelled);
            }
            if (m_execution.rows == 0) {
                break; // nobody wants the logits
            }
        }
        return {};
    }

    std::uint32_t mostRows() const override { return m_batchLength; }

    Result<void> writeSlot(model::Slot slot, std::span<const float> rows) override
    {
        m_execution.rows = rows.size() / m_execution.width(slot);
        std::ranges::copy(rows, m_execution.slot(slot));
        return {};
    }

    Result<void> readSlot(model::Slot slot, std::span<float> rows) override
    {
        std::copy_n(m_execution.slot(slot), rows.size(), rows.begin());
        return {};
    }

    std::span<float> logits() override
    {
        return { m_execution.slot(m_graph.logits),
                 m_execution.rows * m_execution.width(m_graph.logits) };
    }

    std::uint64_t memoryBytes() const override
    {
        std::uint64_t bytes = m_execution.cache.bytes() + stateBytes();
        for (const auto width : m_graph.slotWidths) {
            bytes += std::uint64_t(width) * m_batchLength * sizeof(float);
        }
        return bytes;
    }

    std::uint64_t stateBytes() const override { return m_execution.states.bytes().size(); }

    void saveState(std::span<std::byte> out) const override
    {
        std::ranges::copy(m_execution.states.bytes(), out.begin());
    }

    void restoreState(std::span<const std::byte> saved) override
    {
        std::ranges::copy(saved, m_execution.states.bytes().begin());
    }

    int threads() const override { return m_execution.pool.threads(); }

    void startProfile() override { m_times.assign(std::variant_size_v<model::Node>, {}); }

    std::vector<OpTime> profile() const override
    {
        std::vector<OpTime> used;
        std::copy_if(m_times.begin(), m_times.end(), std::back_inserter(used),
                     [](const OpTime& time) { return time.calls > 0; });
        return used;
    }

private:
    void runNode(const model::Node& node)
    {
        const auto work = [&] {
            std::visit([this](const auto& op) { cpu::run(m_execution, op); }, node);
        };
        if (m_times.empty()) {
            work();
            return;
        }
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        auto& time = m_times[node.index()];
        time.op = model::opName(node);
        ++time.calls;
        time.milliseconds += taken.count();
    }

    const model::Graph& m_graph;
    std::uint32_t m_batchLength;
    Execution m_execution;
    std::vector<OpTime> m_times; // by kind of node; empty while nobody wants them
};

class CpuBackend final : public Backend
{
public:
    explicit CpuBackend(const Kernels& kernels)
        : m_kernels(kernels)
    {
    }

    std::string description() const override { return std::string("CPU ") + m_kernels.name; }

    Result<std::unique_ptr<Runner>> prepare(const model::Graph& graph,
                                            const RunnerOptions& options) const override
    {
        constexpr int mostThreads = 256;
        const int threads =
            std::clamp(options.threads > 0 ? options.threads : cpuFeatures().cores, 1, mostThreads);
        auto runner = std::make_unique<CpuRunner>(m_kernels, graph, options, threads);
        if (auto allocated = runner->allocate(options); !allocated) {
            return tl::unexpected(allocated.error());
        }
        return runner;
    }

private:
    const Kernels& m_kernels;
};

} // namespace

} // namespace cpu

const Backend& cpuBackend()
{
    static const cpu::CpuBackend backend(cpu::kernels());
    return backend;
}

const Backend& scalarBackend()
{
    static const cpu::CpuBackend backend(*cpu::runnableKernels().front());
    return backend;
}

} // namespace engine::backend
