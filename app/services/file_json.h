// A GGUF file as JSON, as `vitrine-cli inspect --json` and the window's export give it. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/splits.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace app {

using Json = nlohmann::ordered_json;

/// Elements of an array that are shown unless all are asked for.
constexpr std::uint64_t kShownElements = 16;

/// The shortest decimal that reads back as the same float (0.1 and not 0.10000000149011612);
/// infinities and NaN are null.
[[nodiscard]] Json floatJson(float value);
[[nodiscard]] Json floatsJson(std::span<const float> values);

/// Of arrays, and arrays in them, the first `most` elements. Texts are bytes of the file and may
/// not be UTF-8: dump with an error handler.
[[nodiscard]] Json valueJson(const engine::gguf::Value& value, std::uint64_t most);
/// {"name", "type", "shape", "offset", "size", "bpw"}; bpw is null for an unknown type.
[[nodiscard]] Json tensorJson(const engine::gguf::TensorInfo& tensor);
/// {"severity", "code", "message", "offset", "subject"} of CLI.md; and "file" where the problem
/// lies in another file than `file`, such as another part of a split model.
[[nodiscard]] Json problemJson(const engine::gguf::Problem& problem, const std::string& file);

enum class Arrays { Beginnings, Whole };

/// {"header", "sections", "metadata", "tensors", "problems"} of CLI.md: header, sections and
/// metadata of the file that was opened, tensors and problems of all parts. Where there are several
/// files, each tensor names its "file".
[[nodiscard]] Json fileJson(const engine::gguf::SplitFile& set, Arrays arrays);

} // namespace app
