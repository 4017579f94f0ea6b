#include "engine/backend/cpu/execution.h"
#include "engine/base/cpu_features.h"

#include <algorithm>

namespace engine::backend {

namespace cpu {

namespace {

class CpuRunner final : public Runner
{
public:
    CpuRunner(const model::Graph& graph, const RunnerOptions& options, int threads)
        : m_graph(graph)
        , m_batchLength(options.batchLength)
        , m_execution(kernels(), threads)
    {
        m_execution.activations = options.activations;
        m_execution.contextLength = options.contextLength;
        m_execution.widths = graph.slotWidths;
        m_execution.slots.resize(graph.slotWidths.size());
    }

    Result<void> allocate(const RunnerOptions& options)
    {
        return m_execution.cache.allocate(m_graph.kv, options.cacheType, options.contextLength);
    }

    Result<void> run(const Batch& batch, std::stop_token stop) override
    {
        m_execution.batch = batch;
        m_execution.stop = std::move(stop);
        m_execution.rows = batch.tokens.size();
        m_execution.rope.parameters = nullptr;
        for (const auto& node : m_graph.nodes) {
            std::visit([this](const auto& op) { cpu::run(m_execution, op); }, node);
            if (m_execution.stop.stop_requested()) {
                return failure(ErrorCode::Cancelled);
            }
            if (m_execution.rows == 0) {
                break; // nobody wants the logits
            }
        }
        return {};
    }

    std::span<float> logits() override
    {
        return { m_execution.slot(m_graph.logits),
                 m_execution.rows * m_execution.width(m_graph.logits) };
    }

    std::uint64_t memoryBytes() const override
    {
        std::uint64_t bytes = m_execution.cache.bytes();
        for (const auto width : m_graph.slotWidths) {
            bytes += std::uint64_t(width) * m_batchLength * sizeof(float);
        }
        return bytes;
    }

    int threads() const override { return m_execution.pool.threads(); }

private:
    const model::Graph& m_graph;
    std::uint32_t m_batchLength;
    Execution m_execution;
};

class CpuBackend final : public Backend
{
public:
    std::string description() const override { return std::string("CPU ") + kernels().name; }

    Result<std::unique_ptr<Runner>> prepare(const model::Graph& graph,
                                            const RunnerOptions& options) const override
    {
        constexpr int mostThreads = 256;
        const int threads =
            std::clamp(options.threads > 0 ? options.threads : cpuFeatures().cores, 1, mostThreads);
        auto runner = std::make_unique<CpuRunner>(graph, options, threads);
        if (auto allocated = runner->allocate(options); !allocated) {
            return tl::unexpected(allocated.error());
        }
        return runner;
    }
};

} // namespace

} // namespace cpu

const Backend& cpuBackend()
{
    static const cpu::CpuBackend backend;
    return backend;
}

} // namespace engine::backend
