// Which pages of a mapped file are in memory right now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace engine::gguf {

class GgufFile;

/// What was looked at: the kernel's page cache (what no read has to wait for, whoever read it
/// before), or the pages that this process has touched through its map.
enum class ResidencySource { PageCache, OwnPages, Unavailable };

/// The pages of one stretch of the file.
struct PageBucket
{
    std::uint64_t pages = 0;
    std::uint64_t resident = 0; ///< an estimate where the measurement was sampled
};

/// A picture of a whole file. Buckets lie in file order, without gaps, and hold equally many pages
/// give or take one.
struct Residency
{
    ResidencySource source = ResidencySource::Unavailable;
    std::uint64_t pageSize = 0;
    std::vector<PageBucket> buckets; ///< empty where the source is Unavailable
    bool sampled = false; ///< not every page was asked for

    [[nodiscard]] std::uint64_t pages() const;
    /// Whole pages, so up to a page more than the file has there.
    [[nodiscard]] std::uint64_t residentBytes() const;
};

struct ResidencyOptions
{
    std::size_t buckets = 4096; ///< at most; a file with fewer pages has one a page
    /// At most so many pages are asked for; of a larger file a spread-out sample of each bucket.
    std::uint64_t maxPages = 1U << 18U;
    bool ownPages = false; ///< this process's own pages even where the page cache is visible
};

/// Takes time and memory by the options, not by the size of the file. Errors: Cancelled.
[[nodiscard]] Result<Residency> measureResidency(const MappedFile& file,
                                                 const ResidencyOptions& options = {},
                                                 const std::stop_token& stop = {});
/// Unavailable for a file that was parsed out of memory.
[[nodiscard]] Result<Residency> measureResidency(const GgufFile& file,
                                                 const ResidencyOptions& options = {},
                                                 const std::stop_token& stop = {});

} // namespace engine::gguf
