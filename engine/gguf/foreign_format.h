// Recognises what a file without the GGUF magic is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace engine::gguf {

/// The error for bytes that do not begin with "GGUF": names the format they are in and the remedy.
[[nodiscard]] Error foreignFormatError(std::span<const std::byte> bytes, const std::string& file);

} // namespace engine::gguf
