// A read-only memory map of a file that survives the file being cut short underneath it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace engine {

/// Read-only map of a whole regular file. All const members are thread-safe.
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

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const;
    [[nodiscard]] const std::string& path() const;
    /// True once a read hit a page that the file no longer has, or when size or modification time
    /// on disk differ from those at open. Cheap (one fstat).
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
