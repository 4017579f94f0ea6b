// Values as text: Python's str() and repr(), and its two ways of filling in a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <string>

namespace engine::chat::jinja {

/// What {{ value }} prints.
[[nodiscard]] MarkedText printed(Runtime& runtime, const Value& value);
/// The same, onto the end of `out`.
void printTo(Runtime& runtime, MarkedText& out, const Value& value);
/// Python's repr().
void reprTo(Runtime& runtime, MarkedText& out, const Value& value);
/// The shortest digits that read back as the same number, laid out as Python does.
[[nodiscard]] std::string floatText(double value);

/// pattern % arguments.
[[nodiscard]] Value percentFormat(Runtime& runtime, const MarkedText& pattern,
                                  const Value& arguments);
/// pattern.format(…).
[[nodiscard]] Value braceFormat(Runtime& runtime, const MarkedText& pattern,
                                const Arguments& arguments);

} // namespace engine::chat::jinja
