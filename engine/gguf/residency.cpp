#include "engine/gguf/residency.h"

#include "engine/gguf/gguf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <span>

namespace engine::gguf {

namespace {

// Pages that one question to the kernel is about. A sample is made of runs, since pages come and go
// in groups: a fault maps 16 of them, read-ahead fetches 32.
constexpr std::uint64_t kPiece = 1U << 14U;
constexpr std::uint64_t kRun = 16;

/// Asks the kernel about pages of one map.
class PageProbe
{
public:
    PageProbe(std::span<const std::byte> bytes, std::uint64_t pageSize, ResidencySource source)
        : m_bytes(bytes)
        , m_pageSize(pageSize)
        , m_source(source)
    {
        if (m_source == ResidencySource::OwnPages) {
            m_pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
            m_entries.resize(kPiece);
        } else {
            m_flags.resize(kPiece);
        }
    }
    ~PageProbe()
    {
        if (m_pagemap >= 0) {
            close(m_pagemap);
        }
    }
    PageProbe(const PageProbe&) = delete;
    PageProbe& operator=(const PageProbe&) = delete;

    /// How many of the pages are resident; count is at most kPiece. False where the kernel does not
    /// say.
    [[nodiscard]] bool count(std::uint64_t first, std::uint64_t count, std::uint64_t& resident)
    {
        return m_source == ResidencySource::OwnPages ? countMapped(first, count, resident)
                                                     : countCached(first, count, resident);
    }

private:
    bool countCached(std::uint64_t first, std::uint64_t count, std::uint64_t& resident)
    {
        auto* start = const_cast<std::byte*>(m_bytes.data() + first * m_pageSize); // only a place
        const std::uint64_t length =
            std::min(count * m_pageSize, m_bytes.size() - first * m_pageSize);
        if (mincore(start, length, m_flags.data()) != 0) {
            return false;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            resident += m_flags[i] & 1U;
        }
        return true;
    }

    bool countMapped(std::uint64_t first, std::uint64_t count, std::uint64_t& resident)
    {
        constexpr unsigned kPresent = 63; // of an entry of pagemap
        const auto page = reinterpret_cast<std::uintptr_t>(m_bytes.data()) / m_pageSize + first;
        const std::size_t length = count * sizeof(std::uint64_t);
        if (pread(m_pagemap, m_entries.data(), length,
                  static_cast<off_t>(page * sizeof(std::uint64_t)))
            != static_cast<ssize_t>(length)) {
            return false;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            resident += m_entries[i] >> kPresent;
        }
        return true;
    }

    std::span<const std::byte> m_bytes;
    std::uint64_t m_pageSize;
    ResidencySource m_source;
    int m_pagemap = -1;
    std::vector<unsigned char> m_flags;
    std::vector<std::uint64_t> m_entries;
};

/// Counts a bucket from page `first` on, of which at most `budget` pages are asked for.
bool fill(PageBucket& bucket, PageProbe& probe, std::uint64_t first, std::uint64_t budget,
          const std::stop_token& stop)
{
    if (bucket.pages <= budget) {
        for (std::uint64_t done = 0; done < bucket.pages && !stop.stop_requested();) {
            const std::uint64_t piece = std::min(kPiece, bucket.pages - done);
            if (!probe.count(first + done, piece, bucket.resident)) {
                return false;
            }
            done += piece;
        }
        return true;
    }
    const std::uint64_t run = std::clamp<std::uint64_t>(budget, 1, kRun);
    const std::uint64_t runs = std::max<std::uint64_t>(1, budget / run);
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < runs; ++i) {
        const std::uint64_t at = (bucket.pages - run) / runs * i;
        if (!probe.count(first + at, run, found)) {
            return false;
        }
    }
    const std::uint64_t asked = runs * run;
    bucket.resident = (found * bucket.pages + asked / 2) / asked;
    return true;
}

} // namespace

std::uint64_t Residency::pages() const
{
    std::uint64_t sum = 0;
    for (const PageBucket& bucket : buckets) {
        sum += bucket.pages;
    }
    return sum;
}

std::uint64_t Residency::residentBytes() const
{
    std::uint64_t sum = 0;
    for (const PageBucket& bucket : buckets) {
        sum += bucket.resident;
    }
    return sum * pageSize;
}

Result<Residency> measureResidency(const MappedFile& file, const ResidencyOptions& options,
                                   const std::stop_token& stop)
{
    Residency out;
    out.pageSize = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    out.source = !options.ownPages && file.showsPageCache() ? ResidencySource::PageCache
                                                            : ResidencySource::OwnPages;
    const std::uint64_t pages = (file.bytes().size() + out.pageSize - 1) / out.pageSize;
    const std::uint64_t count =
        std::clamp<std::uint64_t>(std::min<std::uint64_t>(options.buckets, pages), 1, pages);
    const std::uint64_t budget = std::max<std::uint64_t>(1, options.maxPages / count);
    out.buckets.resize(count);
    PageProbe probe(file.bytes(), out.pageSize, out.source);
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        PageBucket& bucket = out.buckets[i];
        bucket.pages = pages / count + (i < pages % count ? 1 : 0);
        out.sampled = out.sampled || bucket.pages > budget;
        if (!fill(bucket, probe, first, budget, stop)) {
            return Residency { .pageSize = out.pageSize };
        }
        if (stop.stop_requested()) {
            return failure(ErrorCode::Cancelled, {}, { .file = file.path() });
        }
        first += bucket.pages;
    }
    return out;
}

Result<Residency> measureResidency(const GgufFile& file, const ResidencyOptions& options,
                                   const std::stop_token& stop)
{
    return file.map() ? measureResidency(*file.map(), options, stop) : Residency {};
}

} // namespace engine::gguf
