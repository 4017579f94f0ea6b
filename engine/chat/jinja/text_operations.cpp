#include "engine/chat/jinja/text_operations.h"

#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kSmallSigma = 0x3C3;
constexpr char32_t kFinalSigma = 0x3C2;

/// The characters with the byte each begins at.
struct Characters
{
    std::u32string characters;
    std::vector<std::size_t> offsets;

    explicit Characters(const MarkedText& text)
    {
        for (std::size_t i = 0; i < text.size();) {
            offsets.push_back(i);
            characters += nextCharacter(text.bytes(), i);
        }
    }
};

/// A capital sigma at the end of a word has a small form of its own.
std::u32string lowerAt(const std::u32string& text, std::size_t at)
{
    if (text[at] != kCapitalSigma) {
        return lowerCase(text[at]);
    }
    const auto skips = [](char32_t c) { return hasClass(c, kCaseIgnorable); };
    std::size_t before = at;
    while (before > 0 && skips(text[before - 1])) {
        --before;
    }
    std::size_t after = at + 1;
    while (after < text.size() && skips(text[after])) {
        ++after;
    }
    const bool ends = before > 0 && hasClass(text[before - 1], kCased)
        && (after == text.size() || !hasClass(text[after], kCased));
    return { ends ? kFinalSigma : kSmallSigma };
}

/// Replaces every character by what `map(characters, index)` gives.
template <typename Map>
MarkedText mapped(const MarkedText& text, Map map)
{
    const Characters parts(text);
    MarkedText out;
    for (std::size_t i = 0; i < parts.characters.size(); ++i) {
        out.append(toUtf8(map(parts.characters, i)), text.originAt(parts.offsets[i]));
    }
    return out;
}

/// The fast way for what most templates see.
template <typename Change>
MarkedText mappedAscii(const MarkedText& text, Change change)
{
    MarkedText out;
    std::size_t at = 0;
    std::string bytes = text.bytes();
    std::transform(bytes.begin(), bytes.end(), bytes.begin(), change);
    for (const auto& range : text.inputRanges()) {
        out.append(std::string_view(bytes).substr(at, range.begin - at), Origin::Template);
        out.append(std::string_view(bytes).substr(range.begin, range.end - range.begin),
                   Origin::Input);
        at = range.end;
    }
    out.append(std::string_view(bytes).substr(at), Origin::Template);
    return out;
}

bool isLineBreak(char32_t c)
{
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028
        || c == 0x2029;
}

/// To be called for every piece: refuses more than memory holds, long before they are there.
void checkPieces(Runtime& runtime, std::size_t count)
{
    constexpr std::size_t kEvery = 1024;
    runtime.step();
    if (count % kEvery == 0) {
        runtime.checkItems(count * (sizeof(TextCell) / sizeof(Value) + 3));
    }
}

std::vector<MarkedText> splitAtSpace(Runtime& runtime, const MarkedText& text, std::int64_t count)
{
    std::vector<MarkedText> out;
    const std::string& bytes = text.bytes();
    std::size_t i = 0;
    const auto skip = [&](bool spaces) {
        while (i < bytes.size()) {
            std::size_t next = i;
            if (hasClass(nextCharacter(bytes, next), kSpace) != spaces) {
                return;
            }
            i = next;
        }
    };
    for (skip(true); i < bytes.size(); skip(true)) {
        const std::size_t begin = i;
        if (count >= 0 && static_cast<std::int64_t>(out.size()) >= count) {
            out.push_back(text.slice(begin, text.size()));
            return out;
        }
        skip(false);
        checkPieces(runtime, out.size());
        out.push_back(text.slice(begin, i));
    }
    return out;
}

std::vector<MarkedText> splitAtSpaceFromRight(Runtime& runtime, const MarkedText& text,
                                              std::int64_t count)
{
    struct Word
    {
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Word> words;
    bool inWord = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        const bool space = hasClass(nextCharacter(text.bytes(), i), kSpace);
        if (!space && !inWord) {
            words.push_back({ begin, i });
        } else if (!space) {
            words.back().end = i;
        }
        inWord = !space;
    }
    std::vector<MarkedText> out;
    std::size_t first = 0;
    if (count >= 0 && static_cast<std::int64_t>(words.size()) > count) {
        first = words.size() - static_cast<std::size_t>(count);
        out.push_back(text.slice(0, words[first - 1].end));
    }
    for (std::size_t i = first; i < words.size(); ++i) {
        checkPieces(runtime, i);
        out.push_back(text.slice(words[i].begin, words[i].end));
    }
    return out;
}

} // namespace

MarkedText upperText(const MarkedText& text)
{
    if (isAscii(text.bytes())) {
        return mappedAscii(
            text, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    }
    return mapped(text, [](const std::u32string& all, std::size_t i) { return upperCase(all[i]); });
}

MarkedText lowerText(const MarkedText& text)
{
    if (isAscii(text.bytes())) {
        return mappedAscii(
            text, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    }
    return mapped(text, lowerAt);
}

MarkedText titleText(const MarkedText& text)
{
    bool afterLetter = false;
    return mapped(text, [&](const std::u32string& all, std::size_t i) {
        std::u32string out = afterLetter ? lowerAt(all, i) : titleCase(all[i]);
        afterLetter = hasClass(all[i], kCased);
        return out;
    });
}

MarkedText titleWords(const MarkedText& text)
{
    constexpr std::u32string_view kSeparators = U"-({[<";
    MarkedText out;
    std::size_t wordBegin = 0;
    const auto endWord = [&](std::size_t end) {
        if (wordBegin < end) {
            const std::size_t second = skipCharacters(text, wordBegin, 1);
            out.append(upperText(text.slice(wordBegin, second)));
            out.append(lowerText(text.slice(second, end)));
        }
    };
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        const char32_t c = nextCharacter(text.bytes(), i);
        if (hasClass(c, kSpace) || kSeparators.find(c) != std::u32string_view::npos) {
            endWord(begin);
            out.append(text, begin, i);
            wordBegin = i;
        }
    }
    endWord(text.size());
    return out;
}

MarkedText foldedCaseText(const MarkedText& text)
{
    return mapped(text, [](const std::u32string& all, std::size_t i) -> std::u32string {
        const std::u32string upper = upperCase(all[i]);
        if (upper.size() == 1) {
            return all[i] == kFinalSigma ? std::u32string { kSmallSigma } : lowerCase(all[i]);
        }
        std::u32string out;
        for (const char32_t c : upper) { // "ß" by way of "SS"
            out += lowerCase(c);
        }
        return out;
    });
}

MarkedText capitalizedText(const MarkedText& text)
{
    return mapped(text, [](const std::u32string& all, std::size_t i) {
        return i == 0 ? titleCase(all[i]) : lowerAt(all, i);
    });
}

MarkedText swappedCaseText(const MarkedText& text)
{
    return mapped(text, [](const std::u32string& all, std::size_t i) -> std::u32string {
        if (hasClass(all[i], kUpper)) {
            return lowerAt(all, i);
        }
        return hasClass(all[i], kLower) ? upperCase(all[i]) : std::u32string { all[i] };
    });
}

MarkedText stripped(const MarkedText& text, const MarkedText* characters, Sides sides)
{
    const std::u32string set = characters ? toCharacters(characters->bytes()) : std::u32string();
    const auto goes = [&](char32_t c) {
        return characters ? set.find(c) != std::u32string::npos : hasClass(c, kSpace);
    };
    const std::string& bytes = text.bytes();
    std::size_t begin = 0;
    while (sides != Sides::Right && begin < bytes.size()) {
        std::size_t next = begin;
        if (!goes(nextCharacter(bytes, next))) {
            break;
        }
        begin = next;
    }
    std::size_t end = bytes.size();
    while (sides != Sides::Left && end > begin) {
        std::size_t last = end - 1; // back to the first byte of the character
        while (last > begin && end - last < 4
               && (static_cast<unsigned char>(bytes[last]) & 0xC0u) == 0x80u) {
            --last;
        }
        std::size_t next = last;
        const char32_t c = nextCharacter(bytes, next);
        if (next != end || !goes(c)) {
            break;
        }
        end = last;
    }
    return text.slice(begin, end);
}

MarkedText replaced(Runtime& runtime, const MarkedText& text, const MarkedText& from,
                    const MarkedText& to, std::int64_t count)
{
    runtime.checkText(text.size());
    const std::string& bytes = text.bytes();
    MarkedText out;
    std::size_t at = 0;
    if (from.empty()) { // between all characters
        for (; count != 0; --count) {
            out.append(to);
            runtime.step();
            if (at >= bytes.size()) {
                break;
            }
            const std::size_t begin = at;
            nextCharacter(bytes, at);
            out.append(text, begin, at);
            if (out.size() > runtime.limits().textBytes) {
                runtime.checkText(out.size());
            }
        }
        out.append(text, at, bytes.size());
        return out;
    }
    for (; count != 0; --count) {
        const std::size_t found = bytes.find(from.bytes(), at);
        if (found == std::string::npos) {
            break;
        }
        runtime.step();
        out.append(text, at, found);
        out.append(to);
        at = found + from.size();
        if (out.size() > runtime.limits().textBytes) {
            runtime.checkText(out.size());
        }
    }
    out.append(text, at, bytes.size());
    return out;
}

std::vector<MarkedText> split(Runtime& runtime, const MarkedText& text, const MarkedText* separator,
                              std::int64_t count, From from)
{
    runtime.checkText(text.size());
    if (!separator) {
        return from == From::Left ? splitAtSpace(runtime, text, count)
                                  : splitAtSpaceFromRight(runtime, text, count);
    }
    if (separator->empty()) {
        runtime.fail("empty separator");
    }
    const std::string& bytes = text.bytes();
    const std::string& cut = separator->bytes();
    std::vector<MarkedText> out;
    if (from == From::Left) {
        std::size_t at = 0;
        for (std::size_t found = bytes.find(cut); found != std::string::npos && count != 0;
             --count) {
            checkPieces(runtime, out.size());
            out.push_back(text.slice(at, found));
            at = found + cut.size();
            found = bytes.find(cut, at);
        }
        out.push_back(text.slice(at, bytes.size()));
        return out;
    }
    std::size_t end = bytes.size();
    while (count != 0 && end >= cut.size()) {
        const std::size_t found = bytes.rfind(cut, end - cut.size());
        if (found == std::string::npos) {
            break;
        }
        checkPieces(runtime, out.size());
        out.push_back(text.slice(found + cut.size(), end));
        end = found;
        --count;
    }
    out.push_back(text.slice(0, end));
    std::reverse(out.begin(), out.end());
    return out;
}

std::vector<MarkedText> splitLines(Runtime& runtime, const MarkedText& text, LineEnds ends)
{
    runtime.checkText(text.size());
    std::vector<MarkedText> out;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t at = i;
        const char32_t c = nextCharacter(text.bytes(), i);
        if (!isLineBreak(c)) {
            continue;
        }
        if (c == '\r' && i < text.size() && text.bytes()[i] == '\n') {
            ++i;
        }
        checkPieces(runtime, out.size());
        out.push_back(text.slice(begin, ends == LineEnds::Keep ? i : at));
        begin = i;
    }
    if (begin < text.size()) {
        out.push_back(text.slice(begin, text.size()));
    }
    return out;
}

MarkedText padded(Runtime& runtime, const MarkedText& text, std::int64_t width,
                  const MarkedText& fill, Align align)
{
    if (characterCount(fill.bytes()) != 1) {
        runtime.fail("The fill character must be exactly one character long");
    }
    runtime.checkText(static_cast<std::uint64_t>(std::max<std::int64_t>(width, 0)));
    const std::int64_t room = width - static_cast<std::int64_t>(characterCount(text.bytes()));
    if (room <= 0) {
        return text;
    }
    // Python's way of sharing out an odd rest.
    const std::int64_t middle = room / 2 + (room & width & 1);
    const std::int64_t before = align == Align::Right ? room : align == Align::Left ? 0 : middle;
    MarkedText out;
    for (std::int64_t i = 0; i < room; ++i) {
        if (i == before) {
            out.append(text);
        }
        out.append(fill);
    }
    if (before == room) {
        out.append(text);
    }
    return out;
}

MarkedText htmlEscaped(const MarkedText& text)
{
    MarkedText out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string_view escaped;
        switch (text.bytes()[i]) {
        case '&':
            escaped = "&amp;";
            break;
        case '<':
            escaped = "&lt;";
            break;
        case '>':
            escaped = "&gt;";
            break;
        case '\'':
            escaped = "&#39;";
            break;
        case '"':
            escaped = "&#34;";
            break;
        default:
            out.append(text, i, i + 1);
            continue;
        }
        out.append(escaped, text.originAt(i));
    }
    return out;
}

MarkedText urlQuoted(const MarkedText& text, bool keepSlash)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    MarkedText out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text.bytes()[i]);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '~'
            || (c == '/' && keepSlash);
        if (plain) {
            out.append(text, i, i + 1);
        } else {
            const std::string quoted { '%', kDigits[c >> 4], kDigits[c & 0xF] };
            out.append(quoted, text.originAt(i));
        }
    }
    return out;
}

std::size_t skipCharacters(const MarkedText& text, std::size_t offset, std::int64_t count)
{
    for (; count > 0 && offset < text.size(); --count) {
        nextCharacter(text.bytes(), offset);
    }
    return offset;
}

std::vector<Value> toValues(Runtime& runtime, std::vector<MarkedText> parts)
{
    runtime.checkItems(parts.size());
    std::vector<Value> out;
    out.reserve(parts.size());
    for (auto& part : parts) {
        out.push_back(runtime.text(std::move(part)));
    }
    return out;
}

} // namespace engine::chat::jinja
