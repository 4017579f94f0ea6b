// What the tensor types are: how their blocks store weights, and what for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/words.h"

#include <cstdint>

namespace type_words {

/// For a number as in a tensor directory; one text for all that ggml does not know (any more).
[[nodiscard]] Words about(std::uint32_t number);

} // namespace type_words
