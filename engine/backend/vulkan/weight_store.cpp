#include "engine/backend/vulkan/weight_store.h"

#include "engine/backend/vulkan/codebooks.h"
#include "engine/model/node_weights.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <type_traits>

namespace engine::backend::vulkan {

namespace {

constexpr VkDeviceSize kOverread = 64; // bytes past a tensor that shaders may fetch
constexpr VkDeviceSize kBlockBytes = VkDeviceSize(1) << 30; // larger ones fragment
constexpr VkDeviceSize kStagingBytes = VkDeviceSize(32) << 20;
constexpr std::uintptr_t kNear = 1U << 16; // gaps that are worth importing along

VkDeviceSize up(VkDeviceSize value, VkDeviceSize alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/// Shaders read blocks in words: files may have their tensors anywhere, copies do not.
bool isAligned(std::span<const std::byte> bytes)
{
    return reinterpret_cast<std::uintptr_t>(bytes.data()) % sizeof(std::uint32_t) == 0;
}

} // namespace

/// Fills a store.
class WeightUpload
{
public:
    WeightUpload(std::shared_ptr<Device> device, std::stop_token stop,
                 const std::function<void(double)>& progress)
        : m_device(std::move(device))
        , m_stop(std::move(stop))
        , m_progress(progress)
        , m_store(std::make_unique<WeightStore>())
        , m_alignment(m_device->facts().offsetAlignment)
    {
        m_store->m_device = m_device;
    }

    Result<std::unique_ptr<WeightStore>> of(const model::Graph& graph)
    {
        collect(graph);
        if (auto done = placeVectors(); !done) {
            return tl::unexpected(done.error());
        }
        if (auto done = placeCodebooks(); !done) {
            return tl::unexpected(done.error());
        }
        const bool imports = m_device->facts().features.hostImport && m_device->isSoftware()
            && std::ranges::all_of(m_spans, isAligned);
        if (auto done = imports ? importMatrices() : copyMatrices(); !done) {
            return tl::unexpected(done.error());
        }
        return std::move(m_store);
    }

private:
    using Bytes = std::span<const std::byte>;

    void collect(const model::Graph& graph)
    {
        for (const auto& node : graph.nodes) {
            model::forEachWeight(node, [&](const auto& weight) {
                if constexpr (std::is_same_v<std::decay_t<decltype(weight)>, model::Matrix>) {
                    m_spans.push_back(weight.data);
                    m_types.insert(weight.type);
                } else {
                    m_vectors.push_back(weight.values());
                }
            });
        }
        // matrices that share bytes (rows of a fused one, a tied output) become one
        std::ranges::sort(m_spans, {}, [](Bytes b) { return b.data(); });
        std::vector<Bytes> joined;
        for (const auto span : m_spans) {
            if (!joined.empty() && span.data() < joined.back().data() + joined.back().size()) {
                const auto* end = std::max(joined.back().data() + joined.back().size(),
                                           span.data() + span.size());
                joined.back() = { joined.back().data(), end };
            } else {
                joined.push_back(span);
            }
        }
        m_spans = std::move(joined);
    }

    Result<const Buffer*> newBuffer(VkDeviceSize bytes, BufferUse use = BufferUse::Device)
    {
        auto buffer = Buffer::create(m_device, bytes, use);
        if (!buffer) {
            return tl::unexpected(buffer.error());
        }
        m_store->m_bytes += bytes;
        m_store->m_buffers.push_back(std::move(*buffer));
        return m_store->m_buffers.back().get();
    }

    Result<void> placeVectors()
    {
        std::vector<float> all;
        std::map<const float*, Range> ranges;
        const auto alignment = m_alignment / sizeof(float);
        for (const auto values : m_vectors) {
            if (ranges.contains(values.data())) {
                continue;
            }
            const auto first = all.size();
            all.insert(all.end(), values.begin(), values.end());
            all.resize(up(all.size(), 4));
            ranges[values.data()] = { nullptr, first * sizeof(float),
                                      (all.size() - first) * sizeof(float) };
            all.resize(up(all.size(), alignment));
        }
        if (all.empty()) {
            return {};
        }
        const auto buffer = newBuffer(all.size() * sizeof(float));
        if (!buffer) {
            return tl::unexpected(buffer.error());
        }
        for (auto& [data, range] : ranges) {
            range.buffer = *buffer;
        }
        m_store->m_vectors = std::move(ranges);
        return write(**buffer, 0, std::as_bytes(std::span(all)));
    }

    Result<void> placeCodebooks()
    {
        for (const auto type : m_types) {
            const auto book = codebookOf(type);
            if (book.empty()) {
                continue;
            }
            const auto buffer = newBuffer(book.size());
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            if (auto written = write(**buffer, 0, book); !written) {
                return written;
            }
            m_store->m_codebooks[type] = { *buffer, 0, book.size() };
        }
        return {};
    }

    /// Pages of the process as they are; matrices near to each other in one piece.
    Result<void> importMatrices()
    {
        const auto page = static_cast<std::uintptr_t>(m_device->facts().importAlignment);
        std::size_t i = 0;
        while (i < m_spans.size()) {
            const auto begin = reinterpret_cast<std::uintptr_t>(m_spans[i].data()) / page * page;
            auto end = begin;
            auto last = i;
            for (; last < m_spans.size(); ++last) {
                const auto from = reinterpret_cast<std::uintptr_t>(m_spans[last].data());
                const auto to = up(from + m_spans[last].size(), page);
                if (last > i && (from > end + kNear || to - begin > kBlockBytes)) {
                    break;
                }
                end = to;
            }
            auto buffer = Buffer::import(
                m_device, { reinterpret_cast<const std::byte*>(begin), end - begin });
            if (!buffer) { // a driver that can't after all
                return copyMatrices();
            }
            for (; i < last; ++i) {
                const auto offset = static_cast<VkDeviceSize>(
                    reinterpret_cast<std::uintptr_t>(m_spans[i].data()) - begin);
                m_store->m_pieces[m_spans[i].data()] = { m_spans[i], buffer->get(), offset,
                                                         end - begin - offset };
            }
            m_store->m_buffers.push_back(std::move(*buffer));
        }
        return {};
    }

    Result<void> copyMatrices()
    {
        m_store->m_pieces.clear();
        std::uint64_t total = 0;
        for (const auto span : m_spans) {
            total += span.size();
        }
        std::uint64_t done = 0;
        std::size_t i = 0;
        while (i < m_spans.size()) {
            VkDeviceSize bytes = 0;
            auto last = i;
            for (; last < m_spans.size(); ++last) {
                const auto next = up(m_spans[last].size() + kOverread, m_alignment);
                if (last > i && bytes + next > kBlockBytes) {
                    break;
                }
                bytes += next;
            }
            const auto buffer = newBuffer(bytes);
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            VkDeviceSize offset = 0;
            for (; i < last; ++i) {
                const auto span = m_spans[i];
                if (auto written = write(**buffer, offset, span); !written) {
                    return written;
                }
                m_store->m_pieces[span.data()] = { span, *buffer, offset, bytes - offset };
                offset += up(span.size() + kOverread, m_alignment);
                done += span.size();
                if (m_progress) {
                    m_progress(double(done) / double(total));
                }
            }
        }
        return {};
    }

    Result<void> write(const Buffer& buffer, VkDeviceSize offset, Bytes bytes)
    {
        for (VkDeviceSize from = 0; from < bytes.size(); from += kStagingBytes) {
            if (m_stop.stop_requested()) {
                return failure(ErrorCode::Cancelled);
            }
            const auto part = bytes.subspan(from, std::min(kStagingBytes, bytes.size() - from));
            if (auto written = writePart(buffer, offset + from, part); !written) {
                return written;
            }
        }
        return {};
    }

    Result<void> writePart(const Buffer& buffer, VkDeviceSize offset, Bytes bytes)
    {
        if (!buffer.mapped().empty()) {
            std::memcpy(buffer.mapped().data() + offset, bytes.data(), bytes.size());
            return {};
        }
        if (!m_staging) {
            auto staging = Buffer::create(m_device, kStagingBytes, BufferUse::Upload);
            if (!staging) {
                return tl::unexpected(staging.error());
            }
            m_staging = std::move(*staging);
        }
        std::memcpy(m_staging->mapped().data(), bytes.data(), bytes.size());
        Pipelines pipelines(m_device);
        Views views(m_device);
        Recorder recorder(m_device, pipelines, views);
        recorder.copy({ m_staging.get(), 0, bytes.size() }, { &buffer, offset, bytes.size() });
        auto program = recorder.finish();
        if (!program) {
            return tl::unexpected(program.error());
        }
        return m_device->submit((*program)->parts());
    }

    std::shared_ptr<Device> m_device;
    std::stop_token m_stop;
    const std::function<void(double)>& m_progress;
    std::unique_ptr<WeightStore> m_store;
    VkDeviceSize m_alignment;
    std::unique_ptr<Buffer> m_staging;
    std::vector<Bytes> m_spans;
    std::vector<std::span<const float>> m_vectors;
    std::set<gguf::TensorType> m_types; // of matrices
};

Result<std::unique_ptr<WeightStore>>
WeightStore::create(const std::shared_ptr<Device>& device, const model::Graph& graph,
                    std::stop_token stop, const std::function<void(double)>& progress)
{
    return WeightUpload(device, std::move(stop), progress).of(graph);
}

const WeightStore::Piece& WeightStore::pieceOf(const std::byte* data) const
{
    return std::prev(m_pieces.upper_bound(data))->second;
}

std::vector<Window> WeightStore::windows(const model::Matrix& matrix) const
{
    const auto& piece = pieceOf(matrix.data.data());
    const auto alignment = m_device->facts().offsetAlignment;
    const auto most = m_device->inputRange() - kOverread;
    const auto begin =
        piece.offset + static_cast<VkDeviceSize>(matrix.data.data() - piece.source.data());
    const auto end = piece.offset + piece.readable;
    std::vector<Window> windows;
    for (std::uint64_t row = 0; row < matrix.rows;) {
        const auto first = begin + row * matrix.rowBytes;
        const auto from = first / alignment * alignment;
        const auto rows =
            std::min(matrix.rows - row,
                     std::max<std::uint64_t>(1, (most - (first - from)) / matrix.rowBytes));
        const auto wanted = first - from + rows * matrix.rowBytes + kOverread;
        const auto bytes = std::min(up(wanted, 16), (end - from) / 16 * 16);
        windows.push_back(
            { { piece.buffer, from, bytes }, static_cast<std::uint32_t>(first - from), row, rows });
        row += rows;
    }
    return windows;
}

Range WeightStore::codebook(gguf::TensorType type) const
{
    const auto found = m_codebooks.find(type);
    return found == m_codebooks.end() ? Range {} : found->second;
}

Range WeightStore::vector(const model::Vector& vector) const
{
    const auto* data = vector.values().data();
    const auto& [first, range] = *std::prev(m_vectors.upper_bound(data));
    (void)first;
    return range;
}

} // namespace engine::backend::vulkan
