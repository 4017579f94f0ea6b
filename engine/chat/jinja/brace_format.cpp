// Filling in patterns like '{}: {n:>4}'.format(a, n=b).

#include "engine/chat/jinja/field_layout.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <charconv>

namespace engine::chat::jinja {

namespace {

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
        layout.fill = spec.substr(0, afterFill);
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
        return laidOutText(value.asText(), layout);
    }
    const bool integer = value.isIntegral() && !(plain && value.is(Value::Kind::Boolean));
    if (integer && (plain || kIntegerTypes.find(layout.type) != std::string_view::npos)) {
        return MarkedText(laidOutInteger(runtime, value.asInteger(), layout));
    }
    if (value.isNumber() && !value.is(Value::Kind::Boolean)
        && (plain || kRealTypes.find(layout.type) != std::string_view::npos)) {
        return MarkedText(laidOutReal(value.asReal(), layout));
    }
    if (!spec.empty() && !(plain && value.is(Value::Kind::Boolean))) {
        runtime.fail("unsupported format string for a " + value.typeName());
    }
    return laidOutText(printed(runtime, value), layout);
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

Value braceFormat(Runtime& runtime, const MarkedText& pattern, const Arguments& arguments)
{
    return runtime.text(BraceFormatter(runtime, pattern, arguments).run());
}

} // namespace engine::chat::jinja
