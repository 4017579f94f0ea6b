#include "engine/text/word_characters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace engine::text {

namespace {

struct LetterRun
{
    std::uint32_t first;
    std::uint32_t last;
    std::uint8_t stride;
    std::int32_t delta;
};

struct Range
{
    std::uint32_t first;
    std::uint32_t last;
};

#include "engine/text/word_tables.inc"

/// White_Space of Unicode.
constexpr auto kSpaces = std::to_array<Range>({
    { 0x9, 0xD },
    { 0x20, 0x20 },
    { 0x85, 0x85 },
    { 0xA0, 0xA0 },
    { 0x1680, 0x1680 },
    { 0x2000, 0x200A },
    { 0x2028, 0x2029 },
    { 0x202F, 0x202F },
    { 0x205F, 0x205F },
    { 0x3000, 0x3000 },
});

/// What the published tokenizers take for Chinese; the gap in front of U+2B920 is theirs.
constexpr auto kIdeographs = std::to_array<Range>({
    { 0x3400, 0x4DBF },
    { 0x4E00, 0x9FFF },
    { 0xF900, 0xFAFF },
    { 0x20000, 0x2A6DF },
    { 0x2A700, 0x2B81F },
    { 0x2B920, 0x2CEAF },
    { 0x2F800, 0x2FA1F },
});

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c)
{
    const auto range = std::lower_bound(ranges.begin(), ranges.end(), c,
                                        [](const Range& r, char32_t x) { return r.last < x; });
    return range != ranges.end() && range->first <= c;
}

template <std::size_t N>
char32_t mapped(const std::array<LetterRun, N>& runs, char32_t c)
{
    const auto run = std::lower_bound(runs.begin(), runs.end(), c,
                                      [](const LetterRun& r, char32_t x) { return r.last < x; });
    const bool found = run != runs.end() && run->first <= c && (c - run->first) % run->stride == 0;
    return found ? static_cast<char32_t>(static_cast<std::int64_t>(c) + run->delta) : c;
}

} // namespace

WordCharacter wordCharacter(char32_t c)
{
    constexpr std::u32string_view kSymbols = U"$+<=>^`|~";
    constexpr char32_t kReplacement = 0xFFFD;
    if (within(kSpaces, c)) {
        return WordCharacter::Space;
    }
    if (c == kReplacement || within(kControls, c)) {
        return WordCharacter::Ignored;
    }
    if (within(kMarks, c)) {
        return WordCharacter::Mark;
    }
    const bool alone = within(kPunctuation, c) || kSymbols.find(c) != std::u32string_view::npos
        || within(kIdeographs, c);
    return alone ? WordCharacter::Alone : WordCharacter::Letter;
}

char32_t unaccented(char32_t c)
{
    constexpr char32_t kFirstSyllable = 0xAC00;
    constexpr char32_t kLastSyllable = 0xD7A3;
    constexpr char32_t kFirstLeading = 0x1100;
    constexpr char32_t kSyllablesPerLeading = 21 * 28; // vowels by finals
    if (c >= kFirstSyllable && c <= kLastSyllable) {
        return kFirstLeading + (c - kFirstSyllable) / kSyllablesPerLeading;
    }
    return mapped(kUnaccented, c);
}

char32_t lowerLetter(char32_t c)
{
    return mapped(kLower, c);
}

} // namespace engine::text
