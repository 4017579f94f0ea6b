// Characters as BERT's word tokenizer sees them: letters, what stands alone, what vanishes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace engine::text {

enum class WordCharacter {
    Space, ///< ends a word
    Ignored, ///< control characters and those that stand for none
    Alone, ///< punctuation, ASCII symbols, ideographs: a word of its own
    Mark, ///< an accent, or another sign on a letter
    Letter
};

/// What the character does to the word around it.
[[nodiscard]] WordCharacter wordCharacter(char32_t c);

/// Without its accents: "é" becomes "e". Of a Hangul syllable its first letter.
[[nodiscard]] char32_t unaccented(char32_t c);
/// One character for one: "ẞ" becomes "ß".
[[nodiscard]] char32_t lowerLetter(char32_t c);

} // namespace engine::text
