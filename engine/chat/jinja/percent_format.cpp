// Filling in patterns like '%s: %d' % (a, b).

#include "engine/chat/jinja/field_layout.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace engine::chat::jinja {

namespace {

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
            m_out.append(laidOutText(text, layout));
            return;
        }
        case 'c':
            if (value.isString() && characterCount(value.asBytes()) == 1) {
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
            m_out.append(laidOutInteger(m_runtime, wholeNumber(layout.type, value), layout),
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
            m_out.append(laidOutReal(value.asReal(), layout), Origin::Template);
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

} // namespace

Value percentFormat(Runtime& runtime, const MarkedText& pattern, const Value& arguments)
{
    return runtime.text(PercentFormatter(runtime, pattern, arguments).run());
}

} // namespace engine::chat::jinja
