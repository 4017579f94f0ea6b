#include "engine/backend/vulkan/weight_upload.h"

#include "engine/backend/vulkan/codebooks.h"
#include "engine/backend/vulkan/staging.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

constexpr VkDeviceSize kMostImported = VkDeviceSize(1) << 30;
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

class WeightUpload
{
public:
    WeightUpload(std::shared_ptr<Device> device, const WeightSpans& spans, std::stop_token stop,
                 const std::function<void(double)>& progress)
        : m_device(std::move(device))
        , m_spans(spans)
        , m_progress(progress)
        , m_staging(m_device, std::move(stop))
    {
    }

    Result<StoredWeights> run()
    {
        if (auto done = copySmall(); !done) {
            return tl::unexpected(done.error());
        }
        const bool imports = m_device->facts().features.hostImport && m_device->isSoftware()
            && std::ranges::all_of(m_spans.matrices, isAligned);
        if (!imports || !importMatrices()) { // a driver may fail to after all
            if (auto done = copyMatrices(); !done) {
                return tl::unexpected(done.error());
            }
        }
        if (auto done = m_staging.finish(); !done) {
            return tl::unexpected(done.error());
        }
        return std::move(m_stored);
    }

private:
    using Bytes = std::span<const std::byte>;

    Result<void> allocate(Arena& arena, const std::vector<std::uint64_t>& sizes)
    {
        auto made = Arena::create(m_device, sizes, BufferUse::Device);
        if (!made) {
            return tl::unexpected(made.error());
        }
        arena = std::move(*made);
        return {};
    }

    /// Vectors, with zeros up to a multiple of 4 numbers, and the codebooks that types have.
    Result<void> copySmall()
    {
        std::vector<std::vector<std::byte>> padded; // vectors that need zeros
        std::vector<Bytes> all;
        for (const auto numbers : m_spans.vectors) {
            auto bytes = std::as_bytes(numbers);
            if (bytes.size() % 16 != 0) {
                auto& copy = padded.emplace_back(bytes.begin(), bytes.end());
                copy.resize(up(copy.size(), 16));
                bytes = copy; // whose bytes stay where they are
            }
            all.push_back(bytes);
        }
        for (const auto type : m_spans.types) {
            all.push_back(codebookOf(type));
        }
        std::vector<std::uint64_t> sizes;
        std::ranges::transform(all, std::back_inserter(sizes), &Bytes::size);
        if (auto done = allocate(m_stored.small, sizes); !done) {
            return done;
        }
        const auto& ranges = m_stored.small.ranges();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (auto done = m_staging.write(ranges[i], all[i]); !done) {
                return done;
            }
        }
        std::size_t next = 0;
        for (const auto numbers : m_spans.vectors) {
            m_stored.vectors[numbers.data()] = ranges[next++];
        }
        for (const auto type : m_spans.types) {
            m_stored.codebooks[type] = ranges[next++];
        }
        return {};
    }

    /// Pages of the process as they are; matrices near to each other in one piece.
    Result<void> importMatrices()
    {
        const auto& spans = m_spans.matrices;
        const auto page = static_cast<std::uintptr_t>(m_device->facts().importAlignment);
        std::size_t i = 0;
        while (i < spans.size()) {
            const auto begin = reinterpret_cast<std::uintptr_t>(spans[i].data()) / page * page;
            auto end = begin;
            auto used = begin;
            auto last = i;
            for (; last < spans.size(); ++last) {
                const auto from = reinterpret_cast<std::uintptr_t>(spans[last].data());
                const auto to = up(from + spans[last].size(), page);
                if (last > i && (from > end + kNear || to - begin > kMostImported)) {
                    break;
                }
                end = to;
                used = from + spans[last].size() + kOverread;
            }
            auto buffer = Buffer::import(
                m_device, { reinterpret_cast<const std::byte*>(begin), end - begin }, used - begin);
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            for (; i < last; ++i) {
                const auto offset = static_cast<VkDeviceSize>(
                    reinterpret_cast<std::uintptr_t>(spans[i].data()) - begin);
                m_stored.pieces[spans[i].data()] = { spans[i], buffer->get(), offset,
                                                     (*buffer)->bytes() - offset };
            }
            m_stored.imports.push_back(std::move(*buffer));
        }
        return {};
    }

    Result<void> copyMatrices()
    {
        m_stored.pieces.clear();
        m_stored.imports.clear();
        std::vector<std::uint64_t> sizes;
        std::uint64_t total = 0;
        for (const auto span : m_spans.matrices) {
            sizes.push_back(up(span.size() + kOverread, 16));
            total += span.size();
        }
        if (auto done = allocate(m_stored.matrices, sizes); !done) {
            return done;
        }
        std::uint64_t copied = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto source = m_spans.matrices[i];
            const auto& range = m_stored.matrices.ranges()[i];
            m_stored.pieces[source.data()] = { source, range.buffer, range.offset, range.bytes };
            for (std::size_t from = 0; from < source.size(); from += Staging::kBytes) {
                const auto part =
                    source.subspan(from, std::min(Staging::kBytes, source.size() - from));
                if (auto done =
                        m_staging.write({ range.buffer, range.offset + from, part.size() }, part);
                    !done) {
                    return done;
                }
                copied += part.size();
                if (m_progress) {
                    m_progress(double(copied) / double(total));
                }
            }
        }
        return {};
    }

    std::shared_ptr<Device> m_device;
    const WeightSpans& m_spans;
    const std::function<void(double)>& m_progress;
    StoredWeights m_stored;
    Staging m_staging; // goes before what it writes to
};

} // namespace

Result<StoredWeights> uploaded(const std::shared_ptr<Device>& device, const WeightSpans& spans,
                               std::stop_token stop, const std::function<void(double)>& progress)
{
    return WeightUpload(device, spans, std::move(stop), progress).run();
}

} // namespace engine::backend::vulkan
