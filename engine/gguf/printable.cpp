#include "engine/gguf/printable.h"

#include <cstdint>

namespace engine::gguf {

namespace {

/// Bytes of the valid UTF-8 character at the start of `text`; 0 when there is none.
std::size_t characterLength(std::string_view text)
{
    const auto at = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = at(0);
    if (first < 0x80) {
        return 1;
    }
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t smallest = 0; // anything below is an overlong form
    if (first >= 0xC2 && first < 0xE0) {
        length = 2;
        code = first & 0x1FU;
        smallest = 0x80;
    } else if (first >= 0xE0 && first < 0xF0) {
        length = 3;
        code = first & 0x0FU;
        smallest = 0x800;
    } else if (first >= 0xF0 && first < 0xF5) {
        length = 4;
        code = first & 0x07U;
        smallest = 0x10000;
    }
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = (code << 6U) | (at(i) & 0x3FU);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < smallest || code > 0x10FFFF || surrogate ? 0 : length;
}

void appendEscaped(std::string& out, char c)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    switch (c) {
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        const auto byte = static_cast<std::uint8_t>(c);
        out += "\\x";
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 15U];
    }
}

} // namespace

std::string printable(std::string_view bytes, std::size_t maxBytes)
{
    std::string out;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t length = characterLength(bytes.substr(at, 4));
        const std::size_t step = length == 0 ? 1 : length;
        if (at + step > maxBytes) {
            out += "…";
            break;
        }
        const auto first = static_cast<std::uint8_t>(bytes[at]);
        if (length == 0 || first < 0x20 || first == 0x7F) {
            appendEscaped(out, bytes[at]);
        } else {
            out += bytes.substr(at, length);
        }
        at += step;
    }
    return out;
}

} // namespace engine::gguf
