#include "engine/backend/vulkan/vulkan_runner.h"

#include <algorithm>

namespace engine::backend::vulkan {

Result<std::unique_ptr<Runner>> VulkanRunner::create(std::shared_ptr<Device> device,
                                                     std::shared_ptr<Pipelines> pipelines,
                                                     const model::Graph& graph,
                                                     const RunnerOptions& options,
                                                     std::shared_ptr<WeightStores> stores)
{
    const auto rows = runnerRows(*device, graph, options.batchLength);
    auto setup = std::make_unique<const RunnerSetup>(RunnerSetup {
        std::move(device), std::move(pipelines), std::move(stores), graph, options, rows });
    auto memory = RunnerMemory::create(*setup);
    if (!memory) {
        return tl::unexpected(memory.error());
    }
    auto runner =
        std::unique_ptr<VulkanRunner>(new VulkanRunner(std::move(setup), std::move(*memory)));
    if (auto done = runner->m_copies.allocate(); !done) {
        return tl::unexpected(done.error());
    }
    return runner;
}

VulkanRunner::VulkanRunner(std::unique_ptr<const RunnerSetup> setup,
                           std::unique_ptr<RunnerMemory> memory)
    : m_setup(std::move(setup))
    , m_memory(std::move(memory))
    , m_copies(*m_setup, *m_memory)
    , m_times(m_setup->device, m_setup->graph)
    , m_runs(*m_setup, *m_memory, m_times)
{
}

Result<void> VulkanRunner::run(const Batch& batch, std::stop_token stop)
{
    if (batch.position == 0) {
        if (auto done = m_copies.clearStates(); !done) {
            return done;
        }
    }
    m_logits.clear();
    const bool all = batch.outputs == Outputs::All;
    const std::size_t most = all ? m_setup->rows.logits : m_setup->rows.all;
    for (std::size_t done = 0; done < batch.tokens.size();) {
        const auto count = std::min(most, batch.tokens.size() - done);
        const bool last = done + count == batch.tokens.size();
        if (auto ran = runChunk(batch.tokens.subspan(done, count),
                                batch.position + static_cast<std::uint32_t>(done),
                                all || last ? batch.outputs : Outputs::None, stop);
            !ran) {
            return ran;
        }
        done += count;
    }
    return {};
}

Result<void> VulkanRunner::runChunk(std::span<const TokenId> tokens, std::uint32_t position,
                                    Outputs outputs, const std::stop_token& stop)
{
    const auto run = m_runs.of(static_cast<std::uint32_t>(tokens.size()), outputs, stop);
    if (!run) {
        return tl::unexpected(run.error());
    }
    m_memory->writeBatch(tokens, position);
    if (auto done = m_runs.submit(**run, position + (*run)->rows, stop); !done) {
        return done;
    }
    readLogits(**run);
    m_times.read();
    return {};
}

void VulkanRunner::readLogits(const RecordedRun& run)
{
    const auto& graph = m_setup->graph;
    const auto width = graph.slotWidths[static_cast<std::size_t>(graph.logits)];
    const auto* rows = reinterpret_cast<const float*>(m_memory->readback().mapped().data());
    for (std::uint32_t row = 0; row < run.logitRows; ++row) {
        const float* from = rows + std::size_t(row) * padded(width);
        m_logits.insert(m_logits.end(), from, from + width);
    }
}

Result<void> VulkanRunner::writeSlot(model::Slot slot, std::span<const float> rows)
{
    return m_copies.writeSlot(slot, rows);
}

Result<void> VulkanRunner::readSlot(model::Slot slot, std::span<float> rows)
{
    return m_copies.readSlot(slot, rows);
}

void VulkanRunner::saveState(std::span<std::byte> out) const
{
    m_copies.saveStates(out);
}

void VulkanRunner::restoreState(std::span<const std::byte> saved)
{
    m_copies.restoreStates(saved);
}

std::uint64_t VulkanRunner::memoryBytes() const
{
    return m_memory->bytes() + m_copies.bytes();
}

void VulkanRunner::startProfile()
{
    m_runs.forget();
    m_times.start();
}

} // namespace engine::backend::vulkan
