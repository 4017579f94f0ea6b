// How commands show tensors and problems, as JSON and as words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_output.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <span>
#include <string>

namespace app::cli {

/// {"name", "type", "shape", "offset", "size", "bpw"}; bpw is null for an unknown type.
[[nodiscard]] Json tensorJson(const engine::gguf::TensorInfo& tensor);
/// "Q4_K"; for a number that ggml does not know its former or foreign name, or "type 43".
[[nodiscard]] std::string typeText(const engine::gguf::TensorInfo& tensor);
/// "576 × 1536"
[[nodiscard]] std::string shapeText(const engine::gguf::TensorInfo& tensor);
/// Rows of severity, code, place and message; empty without problems. A column names the files of
/// problems that lie elsewhere than in `file`.
[[nodiscard]] std::string problemTable(std::span<const engine::gguf::Problem> problems,
                                       const std::string& file, std::uint64_t fileSize);
/// A path without its folders.
[[nodiscard]] std::string fileName(const std::string& path);

} // namespace app::cli
