#include "engine/backend/vulkan/vulkan_runner.h"

#include "engine/backend/rope_angles.h"
#include "engine/backend/vulkan/attention.h"
#include "engine/backend/vulkan/check.h"
#include "engine/backend/vulkan/node_cost.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace engine::backend::vulkan {

namespace {

// Rows of one chunk. A GPU fills with more; a software device gains nothing from them.
constexpr std::uint32_t kSoftwareRows = 64;
constexpr std::uint32_t kDeviceRows = 256;
constexpr std::uint32_t kAllLogitsRows = 32; // logits of every row are large
constexpr double kSubmissionSeconds = 0.05; // a desktop stays usable, a stop is heard
constexpr std::size_t kMostRecorded = 8;
// Multiplications a second before anything was measured: too low only makes submissions short.
constexpr double kSoftwareRate = 3e9;
constexpr double kDeviceRate = 2e11;
constexpr std::uint32_t kHeaderWords = 4; // position and rows before the tokens

/// Tests order it: what was never written must not matter.
void poison(const Buffer& buffer)
{
    if (std::getenv("VITRINE_VULKAN_POISON")) {
        std::ranges::fill(buffer.mapped(), std::byte { 0xFF }); // NaN, in halves and floats
    }
}

/// A graph that has logits of every row of a run, asked for or not.
bool hasAllLogits(const model::Graph& graph)
{
    const auto width = graph.slotWidths[static_cast<std::size_t>(graph.logits)];
    return width > 0 && std::ranges::none_of(graph.nodes, [](const model::Node& node) {
               return std::holds_alternative<model::op::KeepOutputs>(node);
           });
}

} // namespace

Result<std::unique_ptr<Runner>> VulkanRunner::create(std::shared_ptr<Device> device,
                                                     std::shared_ptr<Pipelines> pipelines,
                                                     const model::Graph& graph,
                                                     const RunnerOptions& options)
{
    auto runner = std::unique_ptr<VulkanRunner>(
        new VulkanRunner(std::move(device), std::move(pipelines), graph, options));
    if (auto done = runner->allocate(); !done) {
        return tl::unexpected(done.error());
    }
    return runner;
}

VulkanRunner::VulkanRunner(std::shared_ptr<Device> device, std::shared_ptr<Pipelines> pipelines,
                           const model::Graph& graph, const RunnerOptions& options)
    : m_device(std::move(device))
    , m_pipelines(std::move(pipelines))
    , m_graph(graph)
    , m_steps(steps(graph))
    , m_options(options)
    , m_chunkRows(std::min(options.batchLength,
                           hasAllLogits(graph)          ? kAllLogitsRows
                               : m_device->isSoftware() ? kSoftwareRows
                                                        : kDeviceRows))
    , m_workPerSecond(m_device->isSoftware() ? kSoftwareRate : kDeviceRate)
{
}

VulkanRunner::~VulkanRunner()
{
    m_recorded.clear();
    if (m_queries) {
        m_device->vk().vkDestroyQueryPool(m_device->handle(), m_queries, nullptr);
    }
}

Result<void> VulkanRunner::allocate()
{
    auto weights = WeightStore::create(m_device, m_graph, m_options.stop, m_options.progress);
    if (!weights) {
        return tl::unexpected(weights.error());
    }
    m_weights = std::move(*weights);
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < m_graph.slotWidths.size(); ++i) {
        const bool isLogits = static_cast<model::Slot>(i) == m_graph.logits;
        const auto rows = isLogits ? std::min(kAllLogitsRows, m_chunkRows) : m_chunkRows;
        sizes.push_back(std::uint64_t(rows) * padded(m_graph.slotWidths[i]) * sizeof(float));
    }
    const auto put = [&](Arena& place, BufferUse use) -> Result<void> {
        auto arena = Arena::create(m_device, sizes, use);
        if (!arena) {
            return tl::unexpected(arena.error());
        }
        place = std::move(*arena);
        return {};
    };
    if (auto done = put(m_slots, BufferUse::Device); !done) {
        return done;
    }
    sizes.clear();
    for (const auto floats : m_graph.states) {
        sizes.push_back(std::uint64_t(floats) * sizeof(float));
    }
    if (auto done = put(m_states, BufferUse::Device); !done) {
        return done;
    }
    if (auto done = allocateCache(); !done) {
        return done;
    }
    if (auto done = allocateBatch(); !done) {
        return done;
    }
    const auto logitBytes = m_slots.ranges()[static_cast<std::size_t>(m_graph.logits)].bytes;
    auto readback =
        Buffer::create(m_device, std::max<VkDeviceSize>(logitBytes, 16), BufferUse::Readback);
    if (!readback) {
        return tl::unexpected(readback.error());
    }
    m_readback = std::move(*readback);
    if (const auto bytes = attentionScratch(*m_device, m_graph, m_options.contextLength)) {
        auto scratch = Buffer::create(m_device, bytes, BufferUse::Device);
        if (!scratch) {
            return tl::unexpected(scratch.error());
        }
        m_scratch = std::move(*scratch);
        poison(*m_scratch);
    }
    if (m_graph.stateBytes() > 0) {
        auto copy = Buffer::create(m_device, m_graph.stateBytes(), BufferUse::Readback);
        if (!copy) {
            return tl::unexpected(copy.error());
        }
        m_stateCopy = std::move(*copy);
    }
    m_views = std::make_unique<Views>(m_device);
    // the padding of rows is zero from now on
    Recorder recorder(m_device, *m_pipelines, *m_views);
    for (const auto& buffer : m_slots.buffers()) {
        recorder.clear({ buffer.get(), 0, buffer->bytes() });
    }
    auto program = recorder.finish();
    return program ? m_device->submit((*program)->parts()) : tl::unexpected(program.error());
}

Result<void> VulkanRunner::allocateCache()
{
    const std::uint64_t size =
        m_options.cacheType == CacheType::F32 ? sizeof(float) : sizeof(std::uint16_t);
    std::vector<std::uint64_t> sizes;
    for (const auto& layer : m_graph.kv.layers) {
        const auto positions = std::uint64_t(layer.heads) * m_options.contextLength;
        sizes.push_back(positions * padded(layer.keyLength) * size);
        sizes.push_back(positions * padded(layer.valueLength) * size);
    }
    if (std::ranges::any_of(sizes, [&](std::uint64_t bytes) {
            return bytes > m_device->facts().maxStorageRange;
        })) {
        return failure(ErrorCode::DeviceOutOfMemory,
                       { "keys of one layer at this context length are more than the "
                         + std::to_string(m_device->facts().maxStorageRange >> 20)
                         + " MiB that it can address at once" });
    }
    auto arena = Arena::create(m_device, sizes, BufferUse::Device);
    if (!arena) {
        return tl::unexpected(arena.error());
    }
    m_cacheMemory = std::move(*arena);
    for (const auto& buffer : m_cacheMemory.buffers()) {
        poison(*buffer);
    }
    for (std::size_t i = 0; i < m_graph.kv.layers.size(); ++i) {
        const auto& shape = m_graph.kv.layers[i];
        const auto range = [&](std::size_t index, std::uint32_t length) {
            return CacheRange { m_cacheMemory.ranges()[index],
                                m_options.contextLength * padded(length), padded(length) };
        };
        m_cache.push_back(
            { shape, range(2 * i, shape.keyLength), range(2 * i + 1, shape.valueLength) });
    }
    return {};
}

Result<void> VulkanRunner::allocateBatch()
{
    std::vector<const model::RopeParameters*> ropes;
    for (const auto& node : m_graph.nodes) {
        const auto* rope = std::get_if<model::op::Rope>(&node);
        if (rope && std::ranges::find(ropes, rope->parameters) == ropes.end()) {
            ropes.push_back(rope->parameters);
        }
    }
    std::vector<std::uint64_t> sizes { (kHeaderWords + padded(m_chunkRows))
                                       * sizeof(std::uint32_t) };
    for (const auto* parameters : ropes) {
        sizes.push_back(std::uint64_t(m_chunkRows) * padded(parameters->dimensions)
                        * sizeof(float));
    }
    auto arena = Arena::create(m_device, sizes, BufferUse::Upload);
    if (!arena) {
        return tl::unexpected(arena.error());
    }
    m_batch = std::move(*arena);
    for (std::size_t i = 0; i < ropes.size(); ++i) {
        m_ropes[ropes[i]] = m_batch.ranges()[i + 1];
    }
    return {};
}

void VulkanRunner::writeBatch(std::span<const TokenId> tokens, std::uint32_t position)
{
    const auto at = [](const Range& range) { return range.buffer->mapped().data() + range.offset; };
    auto* words = reinterpret_cast<std::uint32_t*>(at(m_batch.ranges()[0]));
    words[0] = position;
    words[1] = static_cast<std::uint32_t>(tokens.size());
    std::ranges::transform(tokens, words + kHeaderWords,
                           [](TokenId token) { return static_cast<std::uint32_t>(token); });
    for (const auto& [parameters, range] : m_ropes) {
        const RopeAngles angles(*parameters, m_options.contextLength);
        auto* table = reinterpret_cast<float*>(at(range));
        for (std::size_t row = 0; row < tokens.size(); ++row) {
            angles.fill(double(position) + double(row), table, table + 1, 2);
            table += padded(parameters->dimensions);
        }
    }
}

Result<void> VulkanRunner::run(const Batch& batch, std::stop_token stop)
{
    if (batch.position == 0) {
        if (auto done = clearStates(); !done) {
            return done;
        }
    }
    m_logits.clear();
    const bool all = batch.outputs == Outputs::All;
    const std::size_t most = all ? std::min(m_chunkRows, kAllLogitsRows) : m_chunkRows;
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
    const auto program = recorded(static_cast<std::uint32_t>(tokens.size()), outputs);
    if (!program) {
        return tl::unexpected(program.error());
    }
    writeBatch(tokens, position);
    if (auto done = submit(**program, stop); !done) {
        return done;
    }
    readLogits(**program);
    readProfile();
    return {};
}

Result<VulkanRunner::Recorded*> VulkanRunner::recorded(std::uint32_t rows, Outputs outputs)
{
    const auto found = std::ranges::find_if(
        m_recorded, [&](const Recorded& r) { return r.rows == rows && r.outputs == outputs; });
    if (found != m_recorded.end()) {
        return &*found;
    }
    auto made = record(rows, outputs);
    if (!made) {
        return tl::unexpected(made.error());
    }
    if (m_recorded.size() == kMostRecorded) {
        // that of single tokens is used most: it stays
        const auto oldest =
            std::ranges::find_if(m_recorded, [](const auto& r) { return r.rows > 1; });
        m_recorded.erase(oldest == m_recorded.end() ? m_recorded.begin() : oldest);
    }
    m_recorded.push_back(std::move(*made));
    return &m_recorded.back();
}

Result<VulkanRunner::Recorded> VulkanRunner::record(std::uint32_t rows, Outputs outputs)
{
    Recorder recorder(m_device, *m_pipelines, *m_views);
    Recording recording { recorder,
                          *m_device,
                          *m_weights,
                          m_graph,
                          m_slots.ranges(),
                          m_cache,
                          m_options.cacheType,
                          m_states.ranges(),
                          m_batch.ranges()[0],
                          m_ropes,
                          { m_scratch.get(), 0, m_scratch ? m_scratch->bytes() : 0 },
                          m_options.contextLength,
                          m_options.activations,
                          outputs,
                          rows };
    Recorded made { rows, outputs, nullptr, 0, 0 };
    double workOfPart = 0;
    std::uint32_t query = 0;
    if (m_queries) {
        recorder.resetQueries(m_queries, static_cast<std::uint32_t>(m_graph.nodes.size()) + 1);
        recorder.timestamp(m_queries, query++);
    }
    for (const auto& step : m_steps) {
        double work = 0;
        for (std::size_t i = 0; i < step.count; ++i) {
            work += multiplications(m_graph.nodes[step.first + i], m_graph, recording.rows,
                                    m_options.contextLength);
        }
        if (workOfPart > 0 && workOfPart + work > m_workPerSecond * kSubmissionSeconds) {
            recorder.cut();
            workOfPart = 0;
        }
        step.record(recording);
        workOfPart += work;
        made.work += work;
        for (std::size_t i = 0; m_queries && i < step.count; ++i) {
            recorder.timestamp(m_queries, query++);
        }
        if (recording.rows == 0) {
            break; // nobody wants the logits
        }
    }
    const bool hasLogits = recording.width(m_graph.logits) > 0; // a part of a graph may have none
    made.logitRows = outputs == Outputs::None || !hasLogits ? 0 : recording.rows;
    if (made.logitRows > 0) {
        const auto range = recording.slot(m_graph.logits);
        recorder.copy(range, { m_readback.get(), 0, range.bytes });
    }
    auto program = recorder.finish();
    if (!program) {
        return tl::unexpected(program.error());
    }
    made.program = std::move(*program);
    return made;
}

Result<void> VulkanRunner::submit(const Recorded& recorded, const std::stop_token& stop)
{
    const auto start = std::chrono::steady_clock::now();
    for (const auto& part : recorded.program->parts()) {
        if (stop.stop_requested()) {
            return failure(ErrorCode::Cancelled);
        }
        if (auto done = m_device->submit({ &part, 1 }); !done) {
            return done;
        }
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    // one slow run (pipelines are made at the first) says little
    m_workPerSecond = std::max(m_workPerSecond * 0.9, recorded.work / taken.count());
    return {};
}

void VulkanRunner::readLogits(const Recorded& recorded)
{
    const auto width = m_graph.slotWidths[static_cast<std::size_t>(m_graph.logits)];
    const auto* rows = reinterpret_cast<const float*>(m_readback->mapped().data());
    for (std::uint32_t row = 0; row < recorded.logitRows; ++row) {
        const float* from = rows + std::size_t(row) * padded(width);
        m_logits.insert(m_logits.end(), from, from + width);
    }
}

Result<void> VulkanRunner::clearStates()
{
    if (m_graph.stateBytes() == 0) {
        return {};
    }
    Recorder recorder(m_device, *m_pipelines, *m_views);
    for (const auto& buffer : m_states.buffers()) {
        recorder.clear({ buffer.get(), 0, buffer->bytes() });
    }
    auto program = recorder.finish();
    return program ? m_device->submit((*program)->parts()) : tl::unexpected(program.error());
}

Result<void> VulkanRunner::copyStates(bool toDevice) const
{
    Recorder recorder(m_device, *m_pipelines, *m_views);
    VkDeviceSize offset = 0;
    for (const auto& state : m_states.ranges()) {
        if (state.bytes == 0) {
            continue; // of another part of the graph
        }
        const Range copy { m_stateCopy.get(), offset, state.bytes };
        recorder.copy(toDevice ? copy : state, toDevice ? state : copy);
        offset += state.bytes;
    }
    auto program = recorder.finish();
    return program ? m_device->submit((*program)->parts()) : tl::unexpected(program.error());
}

// A device that fails here fails again at the next run, which says so.
void VulkanRunner::saveState(std::span<std::byte> out) const
{
    if (!out.empty() && copyStates(false)) {
        std::ranges::copy(m_stateCopy->mapped().first(out.size()), out.begin());
    }
}

void VulkanRunner::restoreState(std::span<const std::byte> saved)
{
    if (!saved.empty()) {
        std::ranges::copy(saved, m_stateCopy->mapped().begin());
        (void)copyStates(true);
    }
}

Result<void> VulkanRunner::exchange(const Range& slot, bool toDevice)
{
    const Range copy { m_exchange.get(), 0, slot.bytes };
    Recorder recorder(m_device, *m_pipelines, *m_views);
    recorder.copy(toDevice ? copy : slot, toDevice ? slot : copy);
    auto program = recorder.finish();
    return program ? m_device->submit((*program)->parts()) : tl::unexpected(program.error());
}

Result<Range> VulkanRunner::exchangeRange(model::Slot slot, std::size_t floats)
{
    const auto width = m_graph.slotWidths[static_cast<std::size_t>(slot)];
    auto range = m_slots.ranges()[static_cast<std::size_t>(slot)];
    if (!m_exchange || m_exchange->bytes() < range.bytes) {
        m_exchange.reset();
        auto made = Buffer::create(m_device, range.bytes, BufferUse::Readback);
        if (!made) {
            return tl::unexpected(made.error());
        }
        m_exchange = std::move(*made);
    }
    range.bytes = floats / width * padded(width) * sizeof(float);
    return range;
}

Result<void> VulkanRunner::writeSlot(model::Slot slot, std::span<const float> rows)
{
    const auto range = exchangeRange(slot, rows.size());
    if (!range) {
        return tl::unexpected(range.error());
    }
    const auto width = m_graph.slotWidths[static_cast<std::size_t>(slot)];
    auto* to = reinterpret_cast<float*>(m_exchange->mapped().data());
    std::memset(to, 0, range->bytes); // the padding
    for (std::size_t from = 0; from < rows.size(); from += width, to += padded(width)) {
        std::ranges::copy(rows.subspan(from, width), to);
    }
    return exchange(*range, true);
}

Result<void> VulkanRunner::readSlot(model::Slot slot, std::span<float> rows)
{
    const auto range = exchangeRange(slot, rows.size());
    if (!range) {
        return tl::unexpected(range.error());
    }
    if (auto done = exchange(*range, false); !done) {
        return done;
    }
    const auto width = m_graph.slotWidths[static_cast<std::size_t>(slot)];
    const auto* from = reinterpret_cast<const float*>(m_exchange->mapped().data());
    for (std::size_t to = 0; to < rows.size(); to += width, from += padded(width)) {
        std::copy_n(from, width, rows.begin() + static_cast<std::ptrdiff_t>(to));
    }
    return {};
}

std::uint64_t VulkanRunner::memoryBytes() const
{
    return m_weights->bytes() + m_slots.bytes() + m_cacheMemory.bytes() + m_states.bytes()
        + m_batch.bytes() + m_readback->bytes() + (m_scratch ? m_scratch->bytes() : 0);
}

void VulkanRunner::startProfile()
{
    m_recorded.clear();
    m_times.assign(std::variant_size_v<model::Node>, {});
    if (m_queries || !m_device->facts().features.timestamps) {
        return;
    }
    VkQueryPoolCreateInfo info { VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO };
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = static_cast<std::uint32_t>(m_graph.nodes.size()) + 1;
    if (m_device->vk().vkCreateQueryPool(m_device->handle(), &info, nullptr, &m_queries)
        != VK_SUCCESS) {
        m_queries = VK_NULL_HANDLE;
    }
}

void VulkanRunner::readProfile()
{
    if (!m_queries) {
        return;
    }
    // of nodes that did not run there is no stamp
    std::vector<std::uint64_t> stamps(2 * (m_graph.nodes.size() + 1));
    m_device->vk().vkGetQueryPoolResults(
        m_device->handle(), m_queries, 0, static_cast<std::uint32_t>(stamps.size() / 2),
        stamps.size() * sizeof(std::uint64_t), stamps.data(), 2 * sizeof(std::uint64_t),
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (std::size_t i = 0; i < m_graph.nodes.size() && stamps[2 * i + 3] != 0; ++i) {
        auto& time = m_times[m_graph.nodes[i].index()];
        time.op = model::opName(m_graph.nodes[i]);
        ++time.calls;
        time.milliseconds +=
            double(stamps[2 * i + 2] - stamps[2 * i]) * m_device->facts().timestampPeriod * 1e-6;
    }
}

std::vector<OpTime> VulkanRunner::profile() const
{
    std::vector<OpTime> used;
    std::copy_if(m_times.begin(), m_times.end(), std::back_inserter(used),
                 [](const OpTime& time) { return time.calls > 0; });
    return used;
}

} // namespace engine::backend::vulkan
