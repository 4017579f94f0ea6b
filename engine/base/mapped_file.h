// A read-only memory map of a file that survives the file being cut short underneath it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// Read-only map of a whole regular file, or of several. All const members are thread-safe.
///
/// A process-wide SIGBUS handler (installed with the first map, chained to the one before) puts
/// zero pages where the file no longer reaches, so that a truncated file reads as zeros and
/// `changed()` becomes true, instead of killing the process.
class MappedFile
{
public:
    /// Errors: FileNotFound, FileIsDirectory, FileNotRegular, FileNotReadable, FileEmpty,
    /// FileMapFailed.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
    /// The bytes of several files (at least one, none joined itself) in one range, each from a page
    /// of its own on: mapped once more, not copied. Between the end of one and the beginning of the
    /// next lie the zeros that fill a page. Error: FileMapFailed.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>>
    join(std::vector<std::shared_ptr<const MappedFile>> files);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const;
    /// Where the files that were joined begin; {0} for a single one.
    [[nodiscard]] std::span<const std::size_t> starts() const;
    /// Of the first one, where several were joined.
    [[nodiscard]] const std::string& path() const;
    /// True once a read hit a page that the file no longer has, or when size or modification time
    /// on disk differ from those at open. Cheap (one fstat a file).
    [[nodiscard]] bool changed() const;
    /// Whether mincore tells this process the truth about the file: only to its owner and to those
    /// who may write it. To everyone else the kernel calls every page resident.
    [[nodiscard]] bool showsPageCache() const;

private:
    MappedFile() = default;
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
