// A file parsed from bytes, and its problems by code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tests {

using File = std::shared_ptr<const engine::gguf::GgufFile>;

/// Named "memory.gguf"; null where nothing can be read. `bytes` must outlive it.
inline File parse(const std::string& bytes)
{
    auto file = engine::gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "memory.gguf");
    return file ? *file : nullptr;
}

/// The first problem of that code; null where there is none.
inline const engine::gguf::Problem* problemOf(const engine::gguf::GgufFile& file,
                                              engine::ErrorCode code)
{
    const auto found =
        std::ranges::find(file.problems(), code,
                          [](const engine::gguf::Problem& problem) { return problem.error.code; });
    return found == file.problems().end() ? nullptr : &*found;
}

/// As QCOMPARE shows it.
inline std::string textOf(std::string_view bytes)
{
    return std::string(bytes);
}

} // namespace tests
