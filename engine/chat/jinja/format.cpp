#include "engine/chat/jinja/format.h"

#include "engine/chat/jinja/unicode.h"

#include <array>
#include <charconv>
#include <cmath>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

void hexEscape(std::string& out, char32_t c)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const int width = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
    out += c < 0x100 ? "\\x" : c < 0x10000 ? "\\u" : "\\U";
    for (int shift = (width - 1) * 4; shift >= 0; shift -= 4) {
        out += kDigits[(c >> shift) & 0xF];
    }
}

void reprText(MarkedText& out, const MarkedText& text)
{
    const std::string& bytes = text.bytes();
    const bool doubled =
        bytes.find('\'') != std::string::npos && bytes.find('"') == std::string::npos;
    const char quote = doubled ? '"' : '\'';
    out.append({ &quote, 1 }, Origin::Template);
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t begin = i;
        const char32_t c = nextCharacter(bytes, i);
        std::string escaped;
        if (c == static_cast<unsigned char>(quote) || c == '\\') {
            escaped = { '\\', static_cast<char>(c) };
        } else if (c == '\n') {
            escaped = "\\n";
        } else if (c == '\r') {
            escaped = "\\r";
        } else if (c == '\t') {
            escaped = "\\t";
        } else if (hasClass(c, kPrintable)) {
            out.append(text, begin, i);
            continue;
        } else {
            hexEscape(escaped, c);
        }
        out.append(escaped, text.originAt(begin));
    }
    out.append({ &quote, 1 }, Origin::Template);
}

void reprItems(Runtime& runtime, MarkedText& out, const std::vector<Value>& items)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) {
            out.append(", ", Origin::Template);
        }
        reprTo(runtime, out, items[i]);
    }
}

void reprSequence(Runtime& runtime, MarkedText& out, const Sequence& sequence)
{
    std::string_view open = "[";
    std::string_view close = "]";
    switch (sequence.flavour) {
    case Sequence::Flavour::List:
        break;
    case Sequence::Flavour::Tuple:
    case Sequence::Flavour::Group:
        open = "(";
        close = sequence.items.size() == 1 ? ",)" : ")";
        break;
    case Sequence::Flavour::Range:
        out.append(sequence.name, Origin::Template);
        return;
    case Sequence::Flavour::Generator:
        out.append("<generator object>", Origin::Template);
        return;
    case Sequence::Flavour::Keys:
        open = "dict_keys([";
        close = "])";
        break;
    case Sequence::Flavour::Values:
        open = "dict_values([";
        close = "])";
        break;
    case Sequence::Flavour::Items:
        open = "dict_items([";
        close = "])";
        break;
    }
    out.append(open, Origin::Template);
    reprItems(runtime, out, sequence.items);
    out.append(close, Origin::Template);
}

void reprMapping(Runtime& runtime, MarkedText& out, const Mapping& mapping)
{
    out.append("{", Origin::Template);
    bool first = true;
    for (const auto& [key, value] : mapping.entries) {
        if (!first) {
            out.append(", ", Origin::Template);
        }
        first = false;
        reprTo(runtime, out, key);
        out.append(": ", Origin::Template);
        reprTo(runtime, out, value);
    }
    out.append("}", Origin::Template);
}

} // namespace

std::string floatText(double value)
{
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    std::array<char, 64> buffer {};
    const auto scientific = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::scientific);
    const std::string text(buffer.data(), scientific.ptr);
    const int exponent = std::stoi(text.substr(text.find('e') + 1));
    constexpr int kSmallest = -4;
    constexpr int kLargest = 16;
    if (exponent < kSmallest || exponent >= kLargest) {
        return text; // to_chars writes at least two digits of the exponent, as Python does
    }
    std::array<char, 64> fixed {};
    const auto end =
        std::to_chars(fixed.data(), fixed.data() + fixed.size(), value, std::chars_format::fixed);
    std::string out(fixed.data(), end.ptr);
    return out.find('.') == std::string::npos ? out + ".0" : out;
}

void printTo(Runtime& runtime, MarkedText& out, const Value& value)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return;
    case Kind::String:
        runtime.checkText(value.asText().size());
        out.append(value.asText());
        return;
    default:
        reprTo(runtime, out, value);
    }
}

void reprTo(Runtime& runtime, MarkedText& out, const Value& value)
{
    runtime.step();
    switch (value.kind()) {
    case Kind::Undefined:
        out.append("Undefined", Origin::Template);
        break;
    case Kind::None:
        out.append("None", Origin::Template);
        break;
    case Kind::Boolean:
        out.append(value.asBoolean() ? "True" : "False", Origin::Template);
        break;
    case Kind::Integer:
        out.append(std::to_string(value.asInteger()), Origin::Template);
        break;
    case Kind::Float:
        out.append(floatText(value.asReal()), Origin::Template);
        break;
    case Kind::String:
        runtime.checkText(value.asText().size());
        reprText(out, value.asText());
        break;
    case Kind::Sequence:
        reprSequence(runtime, out, value.asSequence());
        break;
    case Kind::Mapping:
        reprMapping(runtime, out, value.asMapping());
        break;
    case Kind::Object:
        out.append(value.asObject()->describe(runtime));
        break;
    }
    if (out.size() > runtime.limits().textBytes) {
        runtime.checkText(out.size());
    }
}

MarkedText printed(Runtime& runtime, const Value& value)
{
    if (value.isString()) {
        return value.asText();
    }
    MarkedText out;
    printTo(runtime, out, value);
    return out;
}

} // namespace engine::chat::jinja
