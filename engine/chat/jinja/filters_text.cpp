// The filters on texts, numbers and single values.

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/json.h"
#include "engine/chat/jinja/methods.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;
using TextChange = MarkedText (*)(const MarkedText&);

template <TextChange change>
Value changeText(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    constexpr std::size_t kCharactersPerStep = 8;
    const Bound none(runtime, "the filter", arguments, {});
    const MarkedText text = printed(runtime, subject);
    runtime.step(text.size() / kCharactersPerStep);
    return runtime.textLike(subject, change(text));
}

Value safeFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return runtime.safeText(printed(runtime, subject));
}

Value escapeFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return subject.isSafe() ? subject : runtime.safeText(htmlEscaped(printed(runtime, subject)));
}

Value forceEscapeFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return runtime.safeText(htmlEscaped(printed(runtime, subject)));
}

Value stringFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return subject.isString() ? subject : runtime.text(printed(runtime, subject));
}

Value trimFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "trim", arguments, { "chars" });
    const bool given = bound[0] && !bound[0]->isNone();
    return runtime.textLike(
        subject,
        stripped(printed(runtime, subject), given ? &bound.text(0) : nullptr, Sides::Both));
}

Value replaceFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "replace", arguments, { "old", "new", "count" }, 2);
    const std::int64_t count = bound[2] && !bound[2]->isNone() ? bound.integer(2, -1) : -1;
    return runtime.text(replaced(runtime, printed(runtime, subject), printed(runtime, *bound[0]),
                                 printed(runtime, *bound[1]), count));
}

Value centerFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "center", arguments, { "width" });
    return runtime.text(padded(runtime, printed(runtime, subject), bound.integer(0, 80),
                               MarkedText(" "), Align::Center));
}

Value indentFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "indent", arguments, { "width", "first", "blank" });
    const bool byText = bound[0] && bound[0]->isString();
    const std::int64_t width = byText ? 0 : std::max<std::int64_t>(bound.integer(0, 4), 0);
    runtime.checkText(static_cast<std::uint64_t>(width));
    const MarkedText indent =
        byText ? bound.text(0) : MarkedText(std::string(static_cast<std::size_t>(width), ' '));
    MarkedText text = printed(runtime, subject);
    text.append("\n", Origin::Template); // so that a last empty line counts as one
    const auto lines = splitLines(runtime, text, LineEnds::Drop);
    MarkedText out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) {
            out.append("\n", Origin::Template);
        }
        const bool indented = i == 0 ? bound.flag(1) : bound.flag(2) || !lines[i].empty();
        if (indented) {
            out.append(indent);
        }
        out.append(lines[i]);
        if (out.size() > runtime.limits().textBytes) {
            runtime.checkText(out.size());
        }
    }
    return runtime.text(std::move(out));
}

Value truncateFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "truncate", arguments, { "length", "killwords", "end", "leeway" });
    const MarkedText text = printed(runtime, subject);
    const MarkedText end = bound.textOr(2, "...");
    const std::int64_t length = bound.integer(0, 255);
    const bool hasLeeway = bound[3] && !bound[3]->isNone();
    const std::int64_t leeway = hasLeeway ? bound.integer(3, 5) : 5;
    const auto endLength = static_cast<std::int64_t>(characterCount(end.bytes()));
    if (length < endLength || leeway < 0) {
        runtime.fail("truncate() needs a length of at least " + std::to_string(endLength));
    }
    const auto all = static_cast<std::int64_t>(characterCount(text.bytes()));
    if (all - leeway <= length) {
        return runtime.text(text);
    }
    MarkedText out = text.slice(0, skipCharacters(text, 0, length - endLength));
    if (!bound.flag(1)) {
        const std::size_t space = out.bytes().rfind(' ');
        out = out.slice(0, std::min(space, out.size()));
    }
    out.append(end);
    return runtime.text(std::move(out));
}

Value wordCountFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    const MarkedText text = printed(runtime, subject);
    runtime.checkText(text.size());
    std::int64_t count = 0;
    bool inWord = false;
    for (std::size_t i = 0; i < text.size();) {
        const char32_t c = nextCharacter(text.bytes(), i);
        const bool isWord = c == '_' || hasClass(c, kAlphanumeric);
        count += isWord && !inWord ? 1 : 0;
        inWord = isWord;
    }
    return Value::integer(count);
}

Value urlEncodeFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    if (!subject.is(Kind::Mapping) && !subject.is(Kind::Sequence)) {
        return runtime.text(urlQuoted(printed(runtime, subject), true));
    }
    std::vector<Value> pairs;
    if (subject.is(Kind::Mapping)) {
        for (const auto& [key, value] : subject.asMapping().entries) {
            pairs.push_back(runtime.tuple({ key, value }));
        }
    } else {
        pairs = itemsOf(runtime, subject);
    }
    MarkedText out;
    for (const Value& pair : pairs) {
        const auto parts = itemsOf(runtime, pair);
        if (parts.size() != 2) {
            runtime.fail("urlencode() needs pairs");
        }
        out.append(out.empty() ? "" : "&", Origin::Template);
        out.append(urlQuoted(printed(runtime, parts[0]), false));
        out.append("=", Origin::Template);
        out.append(urlQuoted(printed(runtime, parts[1]), false));
        runtime.checkText(out.size());
    }
    return runtime.text(std::move(out));
}

Value formatFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    if (!arguments.positional.empty() && !arguments.keywords.empty()) {
        runtime.fail("format() takes arguments by place or by name, not both");
    }
    const MarkedText pattern = printed(runtime, subject);
    if (arguments.keywords.empty()) {
        return percentFormat(runtime, pattern, runtime.tuple(arguments.positional));
    }
    std::vector<Value::Entry> named;
    for (const auto& [name, value] : arguments.keywords) {
        named.emplace_back(runtime.text(name), value);
    }
    return percentFormat(runtime, pattern, runtime.mapping(std::move(named)));
}

Value jsonFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "tojson", arguments,
                      { "ensure_ascii", "indent", "separators", "sort_keys" });
    JsonOptions options;
    options.ensureAscii = bound.flag(0);
    options.sortKeys = bound.flag(3);
    if (bound[1] && !bound[1]->isNone()) {
        options.pretty = true;
        options.itemSeparator = MarkedText(",");
        if (bound[1]->isString()) {
            options.indent = bound.text(1);
        } else {
            const std::int64_t width = std::max<std::int64_t>(bound.integer(1, 0), 0);
            runtime.checkText(static_cast<std::uint64_t>(width));
            options.indent = MarkedText(std::string(static_cast<std::size_t>(width), ' '));
        }
    }
    if (bound[2] && !bound[2]->isNone()) {
        const auto parts = itemsOf(runtime, *bound[2]);
        if (parts.size() != 2 || !parts[0].isString() || !parts[1].isString()) {
            runtime.fail("the separators of tojson() are a pair of strings");
        }
        options.itemSeparator = parts[0].asText();
        options.keySeparator = parts[1].asText();
    }
    return runtime.text(toJson(runtime, subject, options));
}

Value defaultFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "default", arguments, { "default_value", "boolean" });
    const bool replaces = subject.isUndefined() || (bound.flag(1) && !subject.truthy());
    return replaces ? bound.get(0, runtime.text(std::string())) : subject;
}

Value attributeFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "attr", arguments, { "name" }, 1);
    const std::string name = printed(runtime, *bound[0]).bytes();
    if (subject.isUndefined()) {
        return subject;
    }
    return subject.is(Kind::Object) ? subject.asObject()->attribute(runtime, name)
                                    : methodOf(runtime, subject, name);
}

std::string numberText(const std::string& text)
{
    const MarkedText trimmed = stripped(MarkedText(text), nullptr, Sides::Both);
    std::string out;
    for (std::size_t i = 0; i < trimmed.size(); ++i) {
        const char c = trimmed.bytes()[i];
        const bool separates = c == '_' && i > 0 && i + 1 < trimmed.size();
        if (!separates) {
            out += c;
        }
    }
    return out.starts_with('+') && !out.starts_with("+-") ? out.substr(1) : out;
}

std::optional<std::int64_t> readInteger(const std::string& text, int base)
{
    std::string digits = numberText(text);
    const bool negative = digits.starts_with('-');
    const std::size_t start = negative ? 1 : 0;
    const char mark = base == 16 ? 'x' : base == 8 ? 'o' : base == 2 ? 'b' : '\0';
    if (mark && digits.size() > start + 2 && digits[start] == '0'
        && (digits[start + 1] | 0x20) == mark) {
        digits.erase(start, 2);
    }
    std::int64_t out = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return whole ? std::optional(out) : std::nullopt;
}

std::optional<double> readReal(const std::string& text)
{
    const std::string digits = numberText(text);
    double out = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return whole ? std::optional(out) : std::nullopt;
}

std::int64_t truncated(Runtime& runtime, double value)
{
    constexpr double kBound = 9.2233720368547748e18; // the largest double below 2^63
    if (!(std::fabs(value) <= kBound)) {
        runtime.fail("the number does not fit into 64 bits");
    }
    return static_cast<std::int64_t>(value);
}

Value intFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "int", arguments, { "default", "base" });
    constexpr std::int64_t kMaxBase = 36;
    const std::int64_t base = bound.integer(1, 10);
    if (base < 2 || base > kMaxBase) {
        runtime.fail("the base of int() is a number from 2 to 36");
    }
    if (subject.isUndefined()) {
        runtime.fail(subject.undefinedReason());
    }
    if (subject.isIntegral()) {
        return Value::integer(subject.asInteger());
    }
    if (subject.is(Kind::Float)) {
        return Value::integer(truncated(runtime, subject.asReal()));
    }
    if (subject.isString()) {
        if (const auto whole = readInteger(subject.asBytes(), static_cast<int>(base))) {
            return Value::integer(*whole);
        }
        if (const auto real = readReal(subject.asBytes()); real && !std::isnan(*real)) {
            return Value::integer(truncated(runtime, *real));
        }
    }
    return bound.get(0, Value::integer(0));
}

Value floatFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "float", arguments, { "default" });
    if (subject.isUndefined()) {
        runtime.fail(subject.undefinedReason());
    }
    if (subject.isNumber()) {
        return Value::real(subject.asReal());
    }
    if (subject.isString()) {
        if (const auto real = readReal(subject.asBytes())) {
            return Value::real(*real);
        }
    }
    return bound.get(0, Value::real(0.0));
}

Value absFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    if (subject.is(Kind::Float)) {
        return Value::real(std::fabs(subject.asReal()));
    }
    if (!subject.isIntegral()) {
        runtime.fail("bad operand type for abs(): '" + subject.typeName() + "'");
    }
    return subject.asInteger() < 0 ? negate(runtime, subject) : Value::integer(subject.asInteger());
}

/// To the nearest number of so many decimals, by the exact decimal value, as Python does.
double roundedReal(double value, std::int64_t decimals)
{
    constexpr std::int64_t kMostDecimals = 330;
    if (!std::isfinite(value) || decimals > kMostDecimals) {
        return value;
    }
    if (decimals < 0) {
        const double unit =
            std::pow(10.0, static_cast<double>(-std::max(decimals, -kMostDecimals)));
        return std::isfinite(unit) ? std::nearbyint(value / unit) * unit : 0.0;
    }
    std::array<char, 1024> buffer {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, static_cast<int>(decimals));
    double out = value;
    std::from_chars(buffer.data(), end.ptr, out);
    return out;
}

Value roundFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "round", arguments, { "precision", "method" });
    const std::string method = bound.textOr(1, "common").bytes();
    const std::int64_t decimals = bound.integer(0, 0);
    if (!subject.isNumber()) {
        runtime.fail("round() needs a number, not a " + subject.typeName());
    }
    if (method == "common") {
        if (subject.isIntegral() && decimals >= 0) {
            return Value::integer(subject.asInteger());
        }
        const double rounded = roundedReal(subject.asReal(), decimals);
        return subject.isIntegral() ? Value::integer(truncated(runtime, rounded))
                                    : Value::real(rounded);
    }
    if (method != "ceil" && method != "floor") {
        runtime.fail("the method of round() is common, ceil or floor");
    }
    const double unit = std::pow(10.0, static_cast<double>(decimals));
    const double scaled = subject.asReal() * unit;
    // Python rounds to an integer here, which has no negative zero.
    return Value::real(((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) + 0.0) / unit);
}

Value fileSizeFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    constexpr auto kDecimal =
        std::to_array<std::string_view>({ "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB" });
    constexpr auto kBinary =
        std::to_array<std::string_view>({ "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB" });
    const Bound bound(runtime, "filesizeformat", arguments, { "binary" });
    const auto read = subject.isString() ? readReal(subject.asBytes())
        : subject.isNumber()             ? std::optional(subject.asReal())
                                         : std::nullopt;
    if (!read) {
        runtime.fail("filesizeformat() needs a number");
    }
    const double base = bound.flag(0) ? 1024 : 1000;
    if (*read == 1) {
        return runtime.text(std::string("1 Byte"));
    }
    if (*read < base) {
        return runtime.text(std::to_string(truncated(runtime, *read)) + " Bytes");
    }
    double unit = base;
    std::size_t prefix = 0;
    while (prefix + 1 < kDecimal.size() && *read >= unit * base) {
        unit *= base;
        ++prefix;
    }
    std::array<char, 400> buffer {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *read / unit,
                                   std::chars_format::fixed, 1);
    return runtime.text(std::string(buffer.data(), end.ptr) + " "
                        + std::string((bound.flag(0) ? kBinary : kDecimal)[prefix]));
}

constexpr auto kFilters = std::to_array<FilterEntry>({
    { "abs", absFilter },
    { "attr", attributeFilter },
    { "capitalize", changeText<capitalizedText> },
    { "center", centerFilter },
    { "d", defaultFilter },
    { "default", defaultFilter },
    { "e", escapeFilter },
    { "escape", escapeFilter },
    { "filesizeformat", fileSizeFilter },
    { "float", floatFilter },
    { "forceescape", forceEscapeFilter },
    { "format", formatFilter },
    { "indent", indentFilter },
    { "int", intFilter },
    { "lower", changeText<lowerText> },
    { "replace", replaceFilter },
    { "round", roundFilter },
    { "safe", safeFilter },
    { "string", stringFilter },
    { "title", changeText<titleWords> },
    { "tojson", jsonFilter },
    { "trim", trimFilter },
    { "truncate", truncateFilter },
    { "upper", changeText<upperText> },
    { "urlencode", urlEncodeFilter },
    { "wordcount", wordCountFilter },
});

} // namespace

std::span<const FilterEntry> textFilters()
{
    return kFilters;
}

FilterBody findFilter(std::string_view name)
{
    for (const auto table : { textFilters(), sequenceFilters(), selectionFilters() }) {
        for (const FilterEntry& entry : table) {
            if (entry.name == name) {
                return entry.body;
            }
        }
    }
    return nullptr;
}

} // namespace engine::chat::jinja
