// Metadata values as JSON, written piece by piece: arrays of any length need no memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/value.h"

#include <functional>
#include <string>
#include <string_view>

namespace app {

/// Takes the next piece; false when there is no use in going on.
using TextSink = std::function<bool(std::string_view)>;

/// A quoted JSON string; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string jsonText(std::string_view text);

/// Numbers that JSON cannot hold (NaN, infinities) become null. False when the sink wanted no more.
bool writeJson(const engine::gguf::Value& value, const TextSink& sink);

} // namespace app
