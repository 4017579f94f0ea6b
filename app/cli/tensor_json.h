// How commands show tensors and problems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_output.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <span>
#include <string>

namespace app::cli {

using app::fileName;
using app::shapeText;
using app::tensorJson;
using app::typeText;

/// Rows of severity, code, place and message; empty without problems. A column names the files of
/// problems that lie elsewhere than in `file`.
[[nodiscard]] std::string problemTable(std::span<const engine::gguf::Problem> problems,
                                       const std::string& file, std::uint64_t fileSize);
} // namespace app::cli
