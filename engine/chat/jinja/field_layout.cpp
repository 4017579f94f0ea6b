#include "engine/chat/jinja/field_layout.h"

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/unicode.h"

#include <array>
#include <charconv>
#include <cmath>

namespace engine::chat::jinja {

namespace {

constexpr std::int64_t kMaxWidth = 1 << 20;

bool isUpperType(char type)
{
    return type >= 'A' && type <= 'Z';
}

char lowered(char c)
{
    return isUpperType(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string padded(std::string sign, std::string digits, const Layout& layout, char defaultAlign)
{
    const char align = layout.align ? layout.align : defaultAlign;
    const auto used = static_cast<std::int64_t>(characterCount(sign) + characterCount(digits));
    const std::int64_t room = std::max<std::int64_t>(layout.width - used, 0);
    const auto fill = [&](std::int64_t count) {
        std::string out;
        for (std::int64_t i = 0; i < count; ++i) {
            out += layout.fill;
        }
        return out;
    };
    switch (align) {
    case '<':
        return sign + digits + fill(room);
    case '^':
        return fill(room / 2) + sign + digits + fill(room - room / 2);
    case '=':
        return sign + fill(room) + digits;
    default:
        return fill(room) + sign + digits;
    }
}

std::string grouped(std::string digits, char separator, std::size_t group)
{
    if (!separator) {
        return digits;
    }
    const std::size_t end =
        std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    for (std::size_t i = end; i > group; i -= group) {
        digits.insert(i - group, 1, separator);
    }
    return digits;
}

std::string signText(bool negative, char sign)
{
    return negative ? "-" : sign == '-' ? "" : std::string(1, sign);
}

} // namespace

MarkedText laidOutText(const MarkedText& text, const Layout& layout)
{
    MarkedText shown = text;
    if (layout.precision >= 0) {
        std::size_t end = 0;
        for (int i = 0; i < layout.precision && end < text.size(); ++i) {
            nextCharacter(text.bytes(), end);
        }
        shown = text.slice(0, end);
    }
    const auto count = static_cast<std::int64_t>(characterCount(shown.bytes()));
    const std::int64_t room = std::max<std::int64_t>(layout.width - count, 0);
    const std::int64_t before = layout.align == '>' ? room : layout.align == '^' ? room / 2 : 0;
    MarkedText out;
    for (std::int64_t i = 0; i < before; ++i) {
        out.append(layout.fill, Origin::Template);
    }
    out.append(shown);
    for (std::int64_t i = before; i < room; ++i) {
        out.append(layout.fill, Origin::Template);
    }
    return out;
}

std::string laidOutInteger(Runtime& runtime, std::int64_t value, const Layout& layout)
{
    const bool negative = value < 0;
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const char type = lowered(layout.type);
    if (type == 'c') {
        if (value < 0 || value > 0x10FFFF) {
            runtime.fail("%c needs the number of a character");
        }
        std::string out;
        appendUtf8(out, static_cast<char32_t>(value));
        return padded("", out, layout, '<');
    }
    const int base = type == 'x' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
    std::array<char, 72> buffer {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, base);
    std::string digits(buffer.data(), end.ptr);
    std::string sign = signText(negative, layout.sign);
    if (layout.alternate && base != 10) {
        sign += std::string("0") + layout.type;
    }
    if (isUpperType(layout.type)) {
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 32) : c; });
    }
    if (layout.precision > static_cast<int>(digits.size())) {
        digits.insert(0, static_cast<std::size_t>(layout.precision) - digits.size(), '0');
    }
    return padded(std::move(sign), grouped(std::move(digits), layout.grouping, base == 10 ? 3 : 4),
                  layout, '>');
}

std::string laidOutReal(double value, const Layout& layout)
{
    const bool negative = std::signbit(value) && !std::isnan(value);
    const double magnitude = std::fabs(value);
    const char type = lowered(layout.type);
    std::string digits;
    if (!std::isfinite(value)) {
        digits = std::isnan(value) ? "nan" : "inf";
    } else if (type == 0 && layout.precision < 0) {
        digits = floatText(magnitude);
    } else {
        std::array<char, kMaxPrecision + 400> buffer {};
        const auto format = type == 'e'  ? std::chars_format::scientific
            : type == 'f' || type == '%' ? std::chars_format::fixed
                                         : std::chars_format::general;
        const double shown = type == '%' ? magnitude * 100 : magnitude;
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), shown, format,
                                       layout.precision < 0 ? 6 : layout.precision);
        digits.assign(buffer.data(), end.ptr);
        if (type == 0 && digits.find_first_of(".e") == std::string::npos) {
            digits += ".0";
        }
    }
    if (type == '%') {
        digits += '%';
    }
    if (isUpperType(layout.type)) {
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    }
    return padded(signText(negative, layout.sign), grouped(std::move(digits), layout.grouping, 3),
                  layout, '>');
}

void checkLayout(Runtime& runtime, std::int64_t width, std::int64_t precision)
{
    if (width > kMaxWidth || precision > kMaxPrecision) {
        runtime.fail("a format's width or precision is too large");
    }
    runtime.checkText(static_cast<std::uint64_t>(width));
}

} // namespace engine::chat::jinja
