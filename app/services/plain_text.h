// Numbers, tensors and problems in plain English, for the command line and for reports. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace app {

/// "105.5 MB": SI units, three significant digits or more.
[[nodiscard]] std::string sizeText(std::uint64_t bytes);
/// Hexadecimal, grouped by four: "0006 1a40"; at least as many groups as `largest` needs.
[[nodiscard]] std::string hexText(std::uint64_t value, std::uint64_t largest = 0);
/// Thousands separated: "32,000".
[[nodiscard]] std::string countText(std::uint64_t value);
/// With this many decimals.
[[nodiscard]] std::string decimalText(double value, int decimals);

/// "Q4_K"; for a number that ggml does not know its former or foreign name, or "type 43".
[[nodiscard]] std::string typeText(const engine::gguf::TensorInfo& tensor);
/// "576 × 1536"
[[nodiscard]] std::string shapeText(const engine::gguf::TensorInfo& tensor);
/// "u32", "string[32000]"
[[nodiscard]] std::string typeText(const engine::gguf::Value& value);
/// A path without its folders.
[[nodiscard]] std::string fileName(const std::string& path);

[[nodiscard]] std::string_view severityName(engine::gguf::Severity severity);
/// Message without file and place, which stand in fields (or columns) of their own.
[[nodiscard]] std::string problemMessage(const engine::gguf::Problem& problem);
/// Whether it lies in another file than `file`.
[[nodiscard]] bool isElsewhere(const engine::gguf::Problem& problem, const std::string& file);

} // namespace app
