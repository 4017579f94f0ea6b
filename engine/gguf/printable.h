// Text out of a file made fit for messages and screens: valid UTF-8, one line, of bounded length.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine::gguf {

/// `bytes` with control characters and invalid UTF-8 written as \xNN (\n, \t and \r by name), cut
/// with "…" at a whole character after at most `maxBytes` of them. Ordinary text comes back as it
/// is.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t maxBytes = 256);

} // namespace engine::gguf
