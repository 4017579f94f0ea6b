// Characters as Python's str knows them: classes, case mappings, UTF-8 in and out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace engine::chat::jinja {

/// Bits of characterClass().
enum CharacterClass : std::uint16_t {
    kAlpha = 1u << 0,
    kDecimal = 1u << 1,
    kDigit = 1u << 2,
    kNumeric = 1u << 3,
    kSpace = 1u << 4,
    kPrintable = 1u << 5,
    kUpper = 1u << 6,
    kLower = 1u << 7,
    kTitle = 1u << 8,
    kCaseIgnorable = 1u << 9,
};
constexpr std::uint16_t kAlphanumeric = kAlpha | kDecimal | kDigit | kNumeric;
constexpr std::uint16_t kCased = kUpper | kLower | kTitle;

[[nodiscard]] std::uint16_t characterClass(char32_t c);
[[nodiscard]] inline bool hasClass(char32_t c, std::uint16_t mask)
{
    return (characterClass(c) & mask) != 0;
}

/// Full mappings ("ß" becomes "SS"), without the context rule for the final sigma.
[[nodiscard]] std::u32string upperCase(char32_t c);
[[nodiscard]] std::u32string lowerCase(char32_t c);
[[nodiscard]] std::u32string titleCase(char32_t c);

/// Decodes the character at `offset` and moves behind it; a byte that is not UTF-8 stands for
/// itself.
char32_t nextCharacter(std::string_view text, std::size_t& offset);
void appendUtf8(std::string& out, char32_t c);
[[nodiscard]] std::string toUtf8(std::u32string_view text);
[[nodiscard]] std::u32string toCharacters(std::string_view text);
/// Number of characters; equals the number of nextCharacter() calls.
[[nodiscard]] std::size_t characterCount(std::string_view text);
[[nodiscard]] bool isAscii(std::string_view text);

} // namespace engine::chat::jinja
