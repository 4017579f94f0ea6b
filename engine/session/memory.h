// How much memory the machine has left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace engine::session {

/// MemAvailable of /proc/meminfo in bytes: free memory and what the kernel can take back. 4 GB
/// where it is unknown.
[[nodiscard]] std::uint64_t availableMemory();

} // namespace engine::session
