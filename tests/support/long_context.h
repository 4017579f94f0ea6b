// A copy of a tiny model that claims to have been trained for more context than any memory holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace tests {

/// Writes `from` to `to` with another `llama.context_length` (tokens, less than 2^31). False when a
/// file can't be read or written, or has no such number.
[[nodiscard]] inline bool writeWithContext(const std::string& from, const std::string& to,
                                           std::uint32_t tokens)
{
    const auto file = engine::gguf::GgufFile::open(from);
    const auto* value = file ? (*file)->find("llama.context_length") : nullptr;
    if (value == nullptr || value->span().size < sizeof(tokens)) {
        return false;
    }
    const auto bytes = (*file)->bytes();
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    std::memcpy(out.data() + value->span().end() - sizeof(tokens), &tokens, sizeof(tokens));
    std::ofstream target(to, std::ios::binary);
    target.write(reinterpret_cast<const char*>(out.data()),
                 static_cast<std::streamsize>(out.size()));
    return target.good();
}

} // namespace tests
