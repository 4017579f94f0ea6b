// What the 13 types of metadata values are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/value.h"
#include "ui/inspector/words.h"

namespace value_words {

/// "Value type 4: u32".
[[nodiscard]] QString title(engine::gguf::ValueType type);
/// Empty for a number that is no type.
[[nodiscard]] Words about(engine::gguf::ValueType type);

} // namespace value_words
