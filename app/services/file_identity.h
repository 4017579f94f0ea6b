// What tells one state of a file on disk from another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// Differs once the file was written, replaced by another of the same name, or removed.
struct FileIdentity
{
    std::uint64_t device = 0; ///< all 0 for a file that is not there
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< nanoseconds

    bool operator==(const FileIdentity&) const = default;
};

/// Of the file at `path` now. Any thread; waits for the file system.
[[nodiscard]] FileIdentity fileIdentity(const std::string& path);

/// A file and, where its name says so, all parts of its model, there or missing.
[[nodiscard]] std::vector<std::string> partsBeside(const std::string& path);

/// Of several files, with their paths.
using FileIdentities = std::vector<std::pair<std::string, FileIdentity>>;

[[nodiscard]] FileIdentities fileIdentities(const std::vector<std::string>& paths);
/// One of them is another one now.
[[nodiscard]] bool haveChanged(const FileIdentities& files);

} // namespace app
