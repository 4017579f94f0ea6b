// JSON results: printing, numbers, problems, base64.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace app::cli {

using Json = nlohmann::ordered_json;

/// One line on standard output. Never throws: bytes that are no UTF-8 become U+FFFD.
void printJson(const Json& json);

/// The shortest decimal that reads back as the same float (0.1 and not 0.10000000149011612);
/// infinities and NaN are null.
[[nodiscard]] Json floatJson(float value);
[[nodiscard]] Json floatsJson(std::span<const float> values);

/// {"severity", "code", "message", "offset", "subject"} of CLI.md; and "file" where the problem
/// lies in another file than `file`, such as another part of a split model.
[[nodiscard]] Json problemJson(const engine::gguf::Problem& problem, const std::string& file);
/// Whether it lies in another file than `file`.
[[nodiscard]] bool isElsewhere(const engine::gguf::Problem& problem, const std::string& file);
[[nodiscard]] std::string_view severityName(engine::gguf::Severity severity);
/// Message without file and place, which stand in fields (or columns) of their own.
[[nodiscard]] std::string problemMessage(const engine::gguf::Problem& problem);

[[nodiscard]] std::string toBase64(std::string_view bytes);
/// Lower-case hexadecimal without spaces.
[[nodiscard]] std::string toHex(std::span<const std::byte> bytes);

} // namespace app::cli
