// Takes out the spaces that word tokenizers leave before punctuation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace engine::text {

/// "Hello , I 'm here !" → "Hello, I'm here!", as models with clean_up_tokenization_spaces expect
/// it.
[[nodiscard]] std::string cleanSpaces(std::string_view text);

} // namespace engine::text
