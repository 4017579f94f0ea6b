// The two pattern languages of Python's strings: '%s' % x and '{}'.format(x).

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace engine::chat::jinja {

namespace {

constexpr int kMaxPrecision = 500;
constexpr std::int64_t kMaxWidth = 1 << 20;

/// One field, in the terms of both languages.
struct Layout
{
    std::string fill = " ";
    char align = 0; ///< < > ^ = or none
    char sign = '-';
    bool alternate = false;
    char grouping = 0;
    std::int64_t width = 0;
    int precision = -1;
    char type = 0;
};

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

MarkedText paddedText(const MarkedText& text, const Layout& layout)
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

std::string integerText(Runtime& runtime, std::int64_t value, const Layout& layout)
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

std::string realText(double value, const Layout& layout)
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

/// Reads patterns character by character (their syntax is ASCII).
class PatternReader
{
public:
    explicit PatternReader(std::string_view text)
        : m_text(text)
    {
    }
    [[nodiscard]] bool done() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    bool take(char c)
    {
        const bool found = !done() && m_text[m_at] == c;
        m_at += found ? 1 : 0;
        return found;
    }
    char next() { return done() ? '\0' : m_text[m_at++]; }
    std::optional<std::int64_t> number()
    {
        std::optional<std::int64_t> out;
        while (!done() && m_text[m_at] >= '0' && m_text[m_at] <= '9') {
            out = std::min<std::int64_t>(out.value_or(0) * 10 + (m_text[m_at++] - '0'), 1ll << 32);
        }
        return out;
    }
    [[nodiscard]] std::size_t at() const { return m_at; }
    void skipTo(std::size_t at) { m_at = at; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

void checkLayout(Runtime& runtime, std::int64_t width, std::int64_t precision)
{
    if (width > kMaxWidth || precision > kMaxPrecision) {
        runtime.fail("a format's width or precision is too large");
    }
    runtime.checkText(static_cast<std::uint64_t>(width));
}

/// '%…': the pattern's own state.
class PercentFormatter
{
public:
    PercentFormatter(Runtime& runtime, const MarkedText& pattern, const Value& arguments)
        : m_runtime(runtime)
        , m_pattern(pattern)
        , m_reader(pattern.bytes())
        , m_whole(arguments)
    {
        const bool tuple = arguments.is(Value::Kind::Sequence) && arguments.asSequence().isTuple();
        m_arguments = tuple ? arguments.asSequence().items : std::vector<Value> { arguments };
    }

    MarkedText run()
    {
        while (!m_reader.done()) {
            const std::size_t at = m_reader.at();
            if (m_reader.take('%')) {
                field();
            } else {
                const std::size_t end = std::min(m_pattern.bytes().find('%', at), m_pattern.size());
                m_out.append(m_pattern, at, end);
                m_reader.skipTo(end);
            }
            m_runtime.checkText(m_out.size());
        }
        if (m_used < m_arguments.size() && !m_whole.is(Value::Kind::Mapping)) {
            m_runtime.fail("not all arguments converted during string formatting");
        }
        return std::move(m_out);
    }

private:
    Value nextArgument()
    {
        if (m_used >= m_arguments.size()) {
            m_runtime.fail("not enough arguments for format string");
        }
        return m_arguments[m_used++];
    }

    Value namedArgument()
    {
        std::string name;
        while (!m_reader.done() && m_reader.peek() != ')') {
            name += m_reader.next();
        }
        if (!m_reader.take(')') || !m_whole.is(Value::Kind::Mapping)) {
            m_runtime.fail("format requires a mapping");
        }
        const Value* const found = m_whole.find(name);
        if (!found) {
            m_runtime.fail("the format names '" + name + "', which is not there");
        }
        return *found;
    }

    std::int64_t size()
    {
        if (m_reader.take('*')) {
            const Value given = nextArgument();
            if (!given.isIntegral()) {
                m_runtime.fail("* wants int");
            }
            return std::clamp<std::int64_t>(given.asInteger(), 0, 1ll << 32);
        }
        return m_reader.number().value_or(0);
    }

    void field()
    {
        std::optional<Value> argument;
        if (m_reader.take('(')) {
            argument = namedArgument();
        }
        Layout layout;
        bool zero = false;
        for (;; m_reader.next()) {
            const char flag = m_reader.peek();
            if (flag == '-') {
                layout.align = '<';
            } else if (flag == '+') {
                layout.sign = '+';
            } else if (flag == ' ') {
                layout.sign = layout.sign == '+' ? '+' : ' ';
            } else if (flag == '#') {
                layout.alternate = true;
            } else if (flag == '0') {
                zero = true;
            } else {
                break;
            }
        }
        layout.width = size();
        std::int64_t precision = -1;
        if (m_reader.take('.')) {
            precision = size();
        }
        checkLayout(m_runtime, layout.width, precision);
        layout.precision = static_cast<int>(precision);
        layout.type = m_reader.next();
        if (layout.type == '%') {
            m_out.append("%", Origin::Template);
            return;
        }
        if (zero && layout.align == 0 && layout.type != 's' && layout.type != 'r') {
            layout.fill = "0";
            layout.align = '=';
        }
        convert(layout, argument ? *argument : nextArgument());
    }

    void convert(Layout layout, const Value& value)
    {
        switch (layout.type) {
        case 's':
        case 'r':
        case 'a': {
            MarkedText text;
            layout.type == 's' ? printTo(m_runtime, text, value) : reprTo(m_runtime, text, value);
            layout.align = layout.align == '<' ? '<' : '>';
            m_out.append(paddedText(text, layout));
            return;
        }
        case 'c':
            if (value.isString()) {
                m_out.append(value.asText());
                return;
            }
            [[fallthrough]];
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            m_out.append(integerText(m_runtime, wholeNumber(layout.type, value), layout),
                         Origin::Template);
            return;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (!value.isNumber()) {
                m_runtime.fail("must be real number, not " + value.typeName());
            }
            m_out.append(realText(value.asReal(), layout), Origin::Template);
            return;
        default:
            m_runtime.fail("unsupported format character");
        }
    }

    std::int64_t wholeNumber(char type, const Value& value)
    {
        const bool truncates = type == 'd' || type == 'i' || type == 'u';
        constexpr double kBound = 9.2e18;
        if (value.is(Value::Kind::Float) && truncates && std::fabs(value.asReal()) < kBound) {
            return static_cast<std::int64_t>(value.asReal());
        }
        if (!value.isIntegral()) {
            m_runtime.fail(std::string("%") + type + " format: an integer is required, not "
                           + value.typeName());
        }
        return value.asInteger();
    }

    Runtime& m_runtime;
    const MarkedText& m_pattern;
    PatternReader m_reader;
    Value m_whole;
    std::vector<Value> m_arguments;
    std::size_t m_used = 0;
    MarkedText m_out;
};

Layout readSpec(Runtime& runtime, std::string_view spec)
{
    Layout layout;
    PatternReader reader(spec);
    const auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    std::size_t afterFill = 0;
    if (!spec.empty()) {
        nextCharacter(spec, afterFill);
    }
    if (afterFill > 0 && afterFill < spec.size() && isAlign(spec[afterFill])) {
        layout.fill = std::string(spec.substr(0, afterFill));
        layout.align = spec[afterFill];
        reader.skipTo(afterFill + 1);
    } else if (isAlign(reader.peek())) {
        layout.align = reader.next();
    }
    if (reader.peek() == '+' || reader.peek() == '-' || reader.peek() == ' ') {
        layout.sign = reader.next();
    }
    layout.alternate = reader.take('#');
    if (reader.peek() == '0' && layout.align == 0) {
        layout.fill = "0";
        layout.align = '=';
    }
    layout.width = reader.number().value_or(0);
    if (reader.peek() == ',' || reader.peek() == '_') {
        layout.grouping = reader.next();
    }
    std::int64_t precision = -1;
    if (reader.take('.')) {
        precision = reader.number().value_or(kMaxPrecision + 1);
    }
    checkLayout(runtime, layout.width, precision);
    layout.precision = static_cast<int>(precision);
    layout.type = reader.next();
    if (!reader.done()) {
        runtime.fail("invalid format specifier '" + std::string(spec) + "'");
    }
    return layout;
}

MarkedText formatted(Runtime& runtime, const Value& value, std::string_view spec)
{
    Layout layout = readSpec(runtime, spec);
    constexpr std::string_view kIntegerTypes = "bcdoxXn";
    constexpr std::string_view kRealTypes = "eEfFgGn%";
    const bool plain = layout.type == 0;
    if (value.isString() && (plain || layout.type == 's')) {
        return paddedText(value.asText(), layout);
    }
    const bool integer = value.isIntegral() && !(plain && value.is(Value::Kind::Boolean));
    if (integer && (plain || kIntegerTypes.find(layout.type) != std::string_view::npos)) {
        return MarkedText(integerText(runtime, value.asInteger(), layout));
    }
    if (value.isNumber() && !value.is(Value::Kind::Boolean)
        && (plain || kRealTypes.find(layout.type) != std::string_view::npos)) {
        return MarkedText(realText(value.asReal(), layout));
    }
    if (!spec.empty() && !(plain && value.is(Value::Kind::Boolean))) {
        runtime.fail("unsupported format string for a " + value.typeName());
    }
    return paddedText(printed(runtime, value), layout);
}

/// '{…}': the pattern's own state.
class BraceFormatter
{
public:
    BraceFormatter(Runtime& runtime, const MarkedText& pattern, const Arguments& arguments)
        : m_runtime(runtime)
        , m_pattern(pattern)
        , m_arguments(arguments)
    {
    }

    MarkedText run() { return expand(0, m_pattern.size(), 0); }

private:
    MarkedText expand(std::size_t at, std::size_t end, int nesting)
    {
        constexpr int kMaxNesting = 2;
        if (nesting >= kMaxNesting) {
            m_runtime.fail("Max string recursion exceeded");
        }
        const std::string& bytes = m_pattern.bytes();
        MarkedText out;
        while (at < end) {
            const char c = bytes[at];
            const bool twice = at + 1 < end && bytes[at + 1] == c;
            if ((c == '{' || c == '}') && twice) {
                out.append(m_pattern, at, at + 1);
                at += 2;
            } else if (c == '}') {
                m_runtime.fail("Single '}' encountered in format string");
            } else if (c == '{') {
                const std::size_t close = closing(at, end);
                out.append(field(at + 1, close, nesting));
                at = close + 1;
            } else {
                const std::size_t next = std::min(bytes.find_first_of("{}", at), end);
                out.append(m_pattern, at, next);
                at = next;
            }
            m_runtime.checkText(out.size());
        }
        return out;
    }

    std::size_t closing(std::size_t open, std::size_t end)
    {
        int nesting = 0;
        for (std::size_t i = open; i < end; ++i) {
            nesting += m_pattern.bytes()[i] == '{' ? 1 : m_pattern.bytes()[i] == '}' ? -1 : 0;
            if (nesting == 0) {
                return i;
            }
        }
        m_runtime.fail("expected '}' before end of string");
    }

    MarkedText field(std::size_t begin, std::size_t end, int nesting)
    {
        const std::string_view bytes = m_pattern.bytes();
        const std::size_t nameEnd = std::min(bytes.find_first_of("!:", begin), end);
        Value value = lookUp(bytes.substr(begin, nameEnd - begin));
        std::size_t at = nameEnd;
        if (at < end && bytes[at] == '!') {
            const char conversion = at + 1 < end ? bytes[at + 1] : '\0';
            MarkedText text;
            conversion == 'r' ? reprTo(m_runtime, text, value) : printTo(m_runtime, text, value);
            value = m_runtime.text(std::move(text));
            at += 2;
        }
        MarkedText spec;
        if (at < end && bytes[at] == ':') {
            spec = expand(at + 1, end, nesting + 1);
        } else if (at < end) {
            m_runtime.fail("expected ':' after conversion specifier");
        }
        MarkedText out = formatted(m_runtime, value, spec.bytes());
        // A layout that came with a message may carry its own fill characters.
        return spec.hasInput() ? MarkedText(out.bytes(), Origin::Input) : out;
    }

    Value lookUp(std::string_view name)
    {
        const std::size_t firstEnd = std::min(name.find_first_of(".["), name.size());
        Value value = argument(name.substr(0, firstEnd));
        std::size_t at = firstEnd;
        while (at < name.size()) {
            const bool index = name[at] == '[';
            const std::size_t end = index ? std::min(name.find(']', at), name.size())
                                          : std::min(name.find_first_of(".[", at + 1), name.size());
            const std::string part(name.substr(at + 1, end - at - 1));
            if (!index) {
                value = attributeOf(m_runtime, value, part);
            } else {
                value = elementOf(m_runtime, value, keyOf(part));
            }
            at = index ? end + 1 : end;
        }
        if (value.isUndefined()) {
            m_runtime.fail("the format names '" + std::string(name) + "', which is not there");
        }
        return value;
    }

    static Value keyOf(const std::string& part)
    {
        std::int64_t number = 0;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
        const bool whole =
            !part.empty() && read.ec == std::errc() && read.ptr == part.data() + part.size();
        return whole ? Value::integer(number) : Value::string(part);
    }

    Value argument(std::string_view name)
    {
        const Value key = name.empty() ? Value::integer(m_next++) : keyOf(std::string(name));
        if (key.is(Value::Kind::Integer)) {
            const std::int64_t at = key.asInteger();
            if (at < 0 || at >= static_cast<std::int64_t>(m_arguments.positional.size())) {
                m_runtime.fail("Replacement index " + std::to_string(at) + " out of range");
            }
            return m_arguments.positional[static_cast<std::size_t>(at)];
        }
        for (const auto& [keyword, value] : m_arguments.keywords) {
            if (keyword == name) {
                return value;
            }
        }
        return {};
    }

    Runtime& m_runtime;
    const MarkedText& m_pattern;
    const Arguments& m_arguments;
    std::int64_t m_next = 0;
};

} // namespace

Value percentFormat(Runtime& runtime, const MarkedText& pattern, const Value& arguments)
{
    return runtime.text(PercentFormatter(runtime, pattern, arguments).run());
}

Value braceFormat(Runtime& runtime, const MarkedText& pattern, const Arguments& arguments)
{
    return runtime.text(BraceFormatter(runtime, pattern, arguments).run());
}

} // namespace engine::chat::jinja
