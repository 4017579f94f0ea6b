// UTF-8 as tokenizers see it: lenient decoding, repair of broken bytes, the byte alphabet of GPT-2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine::text {

/// One decoded character and the bytes it took.
struct Character
{
    char32_t codePoint = 0;
    std::size_t length = 0;
};

/// Bytes that a character with this first byte claims (1 to 4), whether or not they follow.
[[nodiscard]] std::size_t claimedLength(char first);

/// The character at `position`; nothing for a broken or overlong sequence. Surrogates pass, since
/// the tokenizers of published models let them pass.
[[nodiscard]] std::optional<Character> decodeCharacter(std::string_view text, std::size_t position);

void appendCharacter(std::string& out, char32_t codePoint);

/// `text` where each byte that starts no character is U+FFFD. Returns `text` itself when nothing is
/// to be mended, else a view of `storage`.
[[nodiscard]] std::string_view mendUtf8(std::string_view text, std::string& storage);

/// The character that byte-level BPE writes for a byte ("Ġ" for a space), as UTF-8.
[[nodiscard]] std::string_view byteAlphabet(unsigned char byte);
/// The byte behind a character of that alphabet; nothing for any other character.
[[nodiscard]] std::optional<unsigned char> byteOfAlphabet(char32_t codePoint);

/// Spaces written as "▁" (U+2581), as SentencePiece does, and back.
void appendEscaped(std::string& out, std::string_view text);
[[nodiscard]] std::string unescapeSpaces(std::string_view text);

/// The bytes of a text with escapes: "\n", "\t", "\r", "\x0a"; another escaped character stands
/// for itself, and so does an escape that is not finished.
[[nodiscard]] std::string unescapeBytes(std::string_view text);

/// The byte of "<0x0A>"; nothing unless the text is exactly of that form.
[[nodiscard]] std::optional<unsigned char> byteOfName(std::string_view text);
/// "<0x0A>" for 10.
[[nodiscard]] std::string nameOfByte(unsigned char byte);

} // namespace engine::text
