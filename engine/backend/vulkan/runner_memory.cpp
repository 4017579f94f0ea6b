#include "engine/backend/vulkan/runner_memory.h"

#include "engine/backend/rope_angles.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

/// Keeps what was made.
template <typename Place, typename Made>
Result<void> put(Place& place, Result<Made> made)
{
    if (!made) {
        return tl::unexpected(made.error());
    }
    place = std::move(*made);
    return {};
}

} // namespace

RunnerMemory::RunnerMemory(const RunnerSetup& setup)
    : m_setup(setup)
{
}

Result<std::unique_ptr<RunnerMemory>> RunnerMemory::create(const RunnerSetup& setup)
{
    auto memory = std::unique_ptr<RunnerMemory>(new RunnerMemory(setup));
    if (auto done = memory->allocate(); !done) {
        return tl::unexpected(done.error());
    }
    return memory;
}

Result<void> RunnerMemory::takeWeights()
{
    const auto& stop = m_setup.options.stop;
    const auto& progress = m_setup.options.progress;
    return put(m_weights, m_setup.stores->get(m_setup.graph, stop, progress));
}

Result<void> RunnerMemory::allocate()
{
    for (const auto step : { &RunnerMemory::takeWeights, &RunnerMemory::allocateSlots,
                             &RunnerMemory::allocateStates, &RunnerMemory::allocateCache,
                             &RunnerMemory::allocateBatch, &RunnerMemory::allocateScratch }) {
        if (auto done = (this->*step)(); !done) {
            return done;
        }
    }
    m_views = std::make_unique<Views>(m_setup.device);
    return clearSlots();
}

Result<void> RunnerMemory::allocateSlots()
{
    const auto& graph = m_setup.graph;
    const auto sizes = slotBytes(graph, m_setup.rows);
    if (auto done = put(m_slots, Arena::create(m_setup.device, sizes, BufferUse::Device)); !done) {
        return done;
    }
    return put(
        m_readback,
        Buffer::create(m_setup.device, readbackBytes(graph, m_setup.rows), BufferUse::Readback));
}

Result<void> RunnerMemory::allocateStates()
{
    std::vector<std::uint64_t> sizes;
    for (const auto floats : m_setup.graph.states) {
        sizes.push_back(std::uint64_t(floats) * sizeof(float));
    }
    return put(m_states, Arena::create(m_setup.device, sizes, BufferUse::Device));
}

Result<void> RunnerMemory::allocateCache()
{
    return put(m_cache, KvCache::create(m_setup.device, m_setup.graph.kv, m_setup.options));
}

Result<void> RunnerMemory::allocateBatch()
{
    const auto sizes = batchBytes(m_setup.graph, m_setup.rows);
    if (auto done = put(m_batch, Arena::create(m_setup.device, sizes, BufferUse::Upload)); !done) {
        return done;
    }
    const auto ropes = ropesOf(m_setup.graph);
    for (std::size_t i = 0; i < ropes.size(); ++i) {
        m_ropes[ropes[i]] = m_batch.ranges()[i + 1];
    }
    return {};
}

Result<void> RunnerMemory::allocateScratch()
{
    const auto bytes =
        scratchBytes(*m_setup.device, m_setup.graph, m_setup.options.contextLength, m_setup.rows);
    if (bytes == 0) {
        return {};
    }
    auto done = put(m_scratch, Buffer::create(m_setup.device, bytes, BufferUse::Device));
    if (done) {
        poison(*m_scratch);
    }
    return done;
}

/// The padding of rows is zero from then on.
Result<void> RunnerMemory::clearSlots()
{
    Recorder recorder(m_setup.device, *m_setup.pipelines, *m_views);
    for (const auto& buffer : m_slots.buffers()) {
        recorder.clear({ buffer.get(), 0, buffer->bytes() });
    }
    return recorder.run();
}

void RunnerMemory::writeBatch(std::span<const TokenId> tokens, std::uint32_t position)
{
    const auto at = [](const Range& range) { return range.buffer->mapped().data() + range.offset; };
    auto* words = reinterpret_cast<std::uint32_t*>(at(m_batch.ranges()[0]));
    words[0] = position;
    words[1] = static_cast<std::uint32_t>(tokens.size());
    std::ranges::transform(tokens, words + kHeaderWords,
                           [](TokenId token) { return static_cast<std::uint32_t>(token); });
    for (const auto& [parameters, range] : m_ropes) {
        const RopeAngles angles(*parameters, m_setup.options.contextLength);
        auto* table = reinterpret_cast<float*>(at(range));
        for (std::size_t row = 0; row < tokens.size(); ++row) {
            angles.fill(double(position) + double(row), table, table + 1, 2);
            table += padded(parameters->dimensions);
        }
    }
}

Recording RunnerMemory::recording(Recorder& recorder, Outputs outputs, std::uint32_t rows) const
{
    return { recorder,
             *m_setup.device,
             *m_weights,
             m_setup.graph,
             m_slots.ranges(),
             m_cache.layers(),
             m_setup.options.cacheType,
             m_states.ranges(),
             m_batch.ranges()[0],
             m_ropes,
             { m_scratch.get(), 0, m_scratch ? m_scratch->bytes() : 0 },
             m_setup.options.contextLength,
             m_setup.options.activations,
             outputs,
             rows };
}

std::uint64_t RunnerMemory::bytes() const
{
    return m_weights->bytes() + m_slots.bytes() + m_cache.bytes() + m_states.bytes()
        + m_batch.bytes() + m_readback->bytes() + (m_scratch ? m_scratch->bytes() : 0);
}

} // namespace engine::backend::vulkan
