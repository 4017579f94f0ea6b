#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <array>

namespace engine::chat::jinja {

namespace {

struct ClassRun
{
    std::uint32_t first;
    std::uint16_t mask;
};

struct CaseRun
{
    std::uint32_t first;
    std::uint32_t last;
    std::uint8_t stride;
    std::int32_t upper;
    std::int32_t lower;
    std::int32_t title;
};

struct SpecialCase
{
    std::uint32_t character;
    const char32_t* upper;
    const char32_t* lower;
    const char32_t* title;
};

#include "engine/chat/jinja/unicode_tables.inc"

const CaseRun* findCaseRun(char32_t c)
{
    const auto run = std::lower_bound(kCaseRuns.begin(), kCaseRuns.end(), c,
                                      [](const CaseRun& r, char32_t x) { return r.last < x; });
    const bool found =
        run != kCaseRuns.end() && run->first <= c && (c - run->first) % run->stride == 0;
    return found ? &*run : nullptr;
}

const SpecialCase* findSpecialCase(char32_t c)
{
    const auto row =
        std::lower_bound(kSpecialCases.begin(), kSpecialCases.end(), c,
                         [](const SpecialCase& s, char32_t x) { return s.character < x; });
    return row != kSpecialCases.end() && row->character == c ? &*row : nullptr;
}

std::u32string mapped(char32_t c, const char32_t* SpecialCase::*special,
                      std::int32_t CaseRun::*delta)
{
    if (const auto* row = findSpecialCase(c)) {
        return row->*special;
    }
    if (const auto* run = findCaseRun(c)) {
        return { static_cast<char32_t>(static_cast<std::int64_t>(c) + run->*delta) };
    }
    return { c };
}

} // namespace

std::uint16_t characterClass(char32_t c)
{
    const auto after =
        std::upper_bound(kClassRuns.begin(), kClassRuns.end(), c,
                         [](char32_t x, const ClassRun& run) { return x < run.first; });
    return after == kClassRuns.begin() ? 0 : std::prev(after)->mask;
}

std::u32string upperCase(char32_t c)
{
    return mapped(c, &SpecialCase::upper, &CaseRun::upper);
}

std::u32string lowerCase(char32_t c)
{
    return mapped(c, &SpecialCase::lower, &CaseRun::lower);
}

std::u32string titleCase(char32_t c)
{
    return mapped(c, &SpecialCase::title, &CaseRun::title);
}

char32_t nextCharacter(std::string_view text, std::size_t& offset)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byteAt(offset);
    int extra = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        extra = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        extra = 2;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        extra = 3;
    }
    if (extra == 0 || offset + static_cast<std::size_t>(extra) >= text.size()) {
        ++offset;
        return lead;
    }
    char32_t c = lead & (0x3Fu >> extra);
    for (int i = 1; i <= extra; ++i) {
        const unsigned char next = byteAt(offset + static_cast<std::size_t>(i));
        if ((next & 0xC0u) != 0x80u) {
            ++offset;
            return lead;
        }
        c = (c << 6) | (next & 0x3Fu);
    }
    offset += static_cast<std::size_t>(extra) + 1;
    return c;
}

void appendUtf8(std::string& out, char32_t c)
{
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

std::string toUtf8(std::u32string_view text)
{
    std::string out;
    for (const char32_t c : text) {
        appendUtf8(out, c);
    }
    return out;
}

std::u32string toCharacters(std::string_view text)
{
    std::u32string out;
    for (std::size_t i = 0; i < text.size();) {
        out += nextCharacter(text, i);
    }
    return out;
}

std::size_t characterCount(std::string_view text)
{
    if (isAscii(text)) {
        return text.size();
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++count) {
        nextCharacter(text, i);
    }
    return count;
}

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace engine::chat::jinja
