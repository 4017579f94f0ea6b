// What is wrong with the vocabulary of a file beyond what stops it from being used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <vector>

namespace engine::text {

/// Repeated texts take memory to find; VocabularyLoader finds them too.
enum class Repeats { Find, Leave };

/// Arrays of another length than the tokens', token types that don't exist, ids of special tokens
/// out of range, repeated texts: for any tokenizer model, known or not. VocabularyLoader reports
/// some of this too, with the same codes and places. Nothing for a file without tokens.
[[nodiscard]] std::vector<gguf::Problem> checkVocabulary(const gguf::GgufFile& file,
                                                         Repeats repeats = Repeats::Find);

} // namespace engine::text
