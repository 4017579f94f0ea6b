// What metadata keys are for: single ones, and families of keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/words.h"

#include <string_view>

namespace key_words {

/// The text of the most particular row that fits; for a key that nobody knows one says so.
[[nodiscard]] Words about(std::string_view key);
/// There is a text of its own for the key or its family.
[[nodiscard]] bool knows(std::string_view key);

} // namespace key_words
