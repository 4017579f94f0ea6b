// What Python's str can do, on text that keeps its marks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/marked_text.h"
#include "engine/chat/jinja/runtime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine::chat::jinja {

[[nodiscard]] MarkedText upperText(const MarkedText& text);
[[nodiscard]] MarkedText lowerText(const MarkedText& text);
/// As str.title(): every run of letters.
[[nodiscard]] MarkedText titleText(const MarkedText& text);
/// As the filter title: words between spaces, hyphens and opening brackets.
[[nodiscard]] MarkedText titleWords(const MarkedText& text);
[[nodiscard]] MarkedText capitalizedText(const MarkedText& text);
/// For comparisons that ignore case.
[[nodiscard]] MarkedText foldedCaseText(const MarkedText& text);
[[nodiscard]] MarkedText swappedCaseText(const MarkedText& text);

enum class Sides { Both, Left, Right };
/// Without whitespace, or without the characters given, at its ends.
[[nodiscard]] MarkedText stripped(const MarkedText& text, const MarkedText* characters,
                                  Sides sides);
/// At most `count` replacements; all where it is negative.
[[nodiscard]] MarkedText replaced(Runtime& runtime, const MarkedText& text, const MarkedText& from,
                                  const MarkedText& to, std::int64_t count);
enum class From { Left, Right };
/// Between whitespace where there is no separator; at most `count` cuts, all where it is negative.
[[nodiscard]] std::vector<MarkedText> split(Runtime& runtime, const MarkedText& text,
                                            const MarkedText* separator, std::int64_t count,
                                            From from);
enum class LineEnds { Keep, Drop };
[[nodiscard]] std::vector<MarkedText> splitLines(Runtime& runtime, const MarkedText& text,
                                                 LineEnds ends);
/// Fills up to `width` characters; `before` of them in front says how the rest is shared out.
enum class Align { Left, Right, Center };
[[nodiscard]] MarkedText padded(Runtime& runtime, const MarkedText& text, std::int64_t width,
                                const MarkedText& fill, Align align);
/// &lt; and the like for the characters that HTML reads.
[[nodiscard]] MarkedText htmlEscaped(const MarkedText& text);
/// %20 and the like for all but letters, digits and "_.-~/".
[[nodiscard]] MarkedText urlQuoted(const MarkedText& text, bool keepSlash);
/// The bytes that `count` characters from `offset` take end here.
[[nodiscard]] std::size_t skipCharacters(const MarkedText& text, std::size_t offset,
                                         std::int64_t count);
[[nodiscard]] std::vector<Value> toValues(Runtime& runtime, std::vector<MarkedText> parts);

} // namespace engine::chat::jinja
