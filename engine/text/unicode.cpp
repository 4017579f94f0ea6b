#include "engine/text/unicode.h"

#include <array>

namespace engine::text {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEscapedSpace = "\xE2\x96\x81";

constexpr bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Bytes that print in Latin-1 stand for themselves, the other 68 for U+0100 and on.
constexpr bool standsForItself(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet
{
    std::array<std::array<char, 2>, 256> text {};
    std::array<std::uint8_t, 256> size {};
    std::array<std::int16_t, 324> byteOf {};
};

constexpr Alphabet makeAlphabet()
{
    Alphabet alphabet;
    alphabet.byteOf.fill(-1);
    unsigned next = 256;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const unsigned codePoint = standsForItself(byte) ? byte : next++;
        alphabet.byteOf[codePoint] = static_cast<std::int16_t>(byte);
        if (codePoint < 0x80) {
            alphabet.text[byte][0] = static_cast<char>(codePoint);
            alphabet.size[byte] = 1;
        } else {
            alphabet.text[byte][0] = static_cast<char>(0xC0 | (codePoint >> 6));
            alphabet.text[byte][1] = static_cast<char>(0x80 | (codePoint & 0x3F));
            alphabet.size[byte] = 2;
        }
    }
    return alphabet;
}

constexpr Alphabet kAlphabet = makeAlphabet();

std::optional<unsigned> hexDigit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return std::nullopt;
}

} // namespace

std::size_t claimedLength(char first)
{
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

std::optional<Character> decodeCharacter(std::string_view text, std::size_t position)
{
    const auto first = static_cast<unsigned char>(text[position]);
    if (first < 0x80) {
        return Character { first, 1 };
    }
    if (first < 0xC0 || first >= 0xF8) {
        return std::nullopt;
    }
    const std::size_t length = claimedLength(text[position]);
    if (length > text.size() - position) {
        return std::nullopt;
    }
    char32_t codePoint = first & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const char next = text[position + i];
        if (!isContinuation(next)) {
            return std::nullopt;
        }
        codePoint = codePoint << 6 | (static_cast<unsigned char>(next) & 0x3F);
    }
    constexpr std::array<char32_t, 5> kSmallest { 0, 0, 0x80, 0x800, 0x10000 };
    if (codePoint < kSmallest[length] || codePoint > 0x10FFFF) {
        return std::nullopt;
    }
    return Character { codePoint, length };
}

void appendCharacter(std::string& out, char32_t codePoint)
{
    const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
    if (codePoint < 0x80) {
        put(codePoint);
        return;
    }
    const int more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
    put((0xF00u >> (more + 1) & 0xFFu) | codePoint >> (6 * more));
    for (int i = more - 1; i >= 0; --i) {
        put(0x80u | (codePoint >> (6 * i) & 0x3Fu));
    }
}

std::string_view mendUtf8(std::string_view text, std::string& storage)
{
    std::size_t copied = 0;
    bool mended = false;
    for (std::size_t at = 0; at < text.size();) {
        if (const auto character = decodeCharacter(text, at)) {
            at += character->length;
            continue;
        }
        if (!mended) {
            mended = true;
            storage.clear();
        }
        storage += text.substr(copied, at - copied);
        storage += kReplacement;
        copied = ++at;
    }
    if (!mended) {
        return text;
    }
    storage += text.substr(copied);
    return storage;
}

std::string_view byteAlphabet(unsigned char byte)
{
    return { kAlphabet.text[byte].data(), kAlphabet.size[byte] };
}

std::optional<unsigned char> byteOfAlphabet(char32_t codePoint)
{
    if (codePoint >= kAlphabet.byteOf.size() || kAlphabet.byteOf[codePoint] < 0) {
        return std::nullopt;
    }
    return static_cast<unsigned char>(kAlphabet.byteOf[codePoint]);
}

void appendEscaped(std::string& out, std::string_view text)
{
    for (const char c : text) {
        if (c == ' ') {
            out += kEscapedSpace;
        } else {
            out += c;
        }
    }
}

std::string unescapeSpaces(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        if (text.starts_with(kEscapedSpace)) {
            out += ' ';
            text.remove_prefix(kEscapedSpace.size());
        } else {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

std::string unescapeBytes(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at];
            continue;
        }
        const char name = text[++at];
        const auto high =
            name == 'x' && at + 1 < text.size() ? hexDigit(text[at + 1]) : std::nullopt;
        const auto low = high && at + 2 < text.size() ? hexDigit(text[at + 2]) : std::nullopt;
        if (low) {
            out += static_cast<char>(*high << 4 | *low);
            at += 2;
        } else {
            out += name == 'n' ? '\n' : name == 't' ? '\t' : name == 'r' ? '\r' : name;
        }
    }
    return out;
}

std::optional<unsigned char> byteOfName(std::string_view text)
{
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>') {
        return std::nullopt;
    }
    const auto high = hexDigit(text[3]);
    const auto low = hexDigit(text[4]);
    if (!high || !low) {
        return std::nullopt;
    }
    return static_cast<unsigned char>(*high << 4 | *low);
}

std::string nameOfByte(unsigned char byte)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return { '<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>' };
}

} // namespace engine::text
