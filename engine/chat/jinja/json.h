// JSON in and out, as Python's json module reads and writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <string>
#include <string_view>

namespace engine::chat::jinja {

/// Reads a whole JSON text; objects keep the order of their keys. With Origin::Input every string
/// in it, keys included, counts as input. Errors: JsonInvalid.
[[nodiscard]] Result<Value> valueFromJson(std::string_view text, Origin origin = Origin::Template);

struct JsonOptions
{
    bool pretty = false; ///< one member a line
    MarkedText indent; ///< of one level, where pretty
    MarkedText itemSeparator { ", " };
    MarkedText keySeparator { ": " };
    bool ensureAscii = false;
    bool sortKeys = false;
};

/// Fails (throws Failure) on values that JSON has no form for.
[[nodiscard]] MarkedText toJson(Runtime& runtime, const Value& value, const JsonOptions& options);

} // namespace engine::chat::jinja
