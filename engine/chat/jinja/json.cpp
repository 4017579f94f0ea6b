#include "engine/chat/jinja/json.h"

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/unicode.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;
using Json = nlohmann::ordered_json;

constexpr int kMaxJsonDepth = 150; // leaves a template some levels to wrap it in

/// Builds the value while the text is read, so that depth is bounded before anything recurses.
class ValueBuilder : public nlohmann::json_sax<Json>
{
public:
    explicit ValueBuilder(Origin origin)
        : m_origin(origin)
    {
    }

    [[nodiscard]] Value take() { return std::move(m_root); }
    [[nodiscard]] const std::string& problem() const { return m_problem; }

    bool null() override { return add(Value::none()); }
    bool boolean(bool value) override { return add(Value::boolean(value)); }
    bool number_integer(number_integer_t value) override { return add(Value::integer(value)); }
    bool number_unsigned(number_unsigned_t value) override
    {
        constexpr auto kLargest =
            static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return add(value <= kLargest ? Value::integer(static_cast<std::int64_t>(value))
                                     : Value::real(static_cast<double>(value)));
    }
    bool number_float(number_float_t value, const string_t&) override
    {
        return add(Value::real(value));
    }
    bool string(string_t& value) override { return add(Value::string(std::move(value), m_origin)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(true); }
    bool start_array(std::size_t) override { return open(false); }
    bool key(string_t& name) override
    {
        m_open.back().key = std::move(name);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& why) override
    {
        // Without the library's own prefix "[json.exception.…] ".
        const std::string text = why.what();
        const std::size_t end = text.find("] ");
        m_problem =
            end == std::string::npos ? "byte " + std::to_string(position) : text.substr(end + 2);
        return false;
    }

private:
    struct Level
    {
        bool isObject;
        std::string key;
        std::vector<Value> items;
        std::vector<std::pair<std::string, Value>> entries;
    };

    bool add(Value value)
    {
        if (m_open.empty()) {
            m_root = std::move(value);
        } else if (m_open.back().isObject) {
            m_open.back().entries.emplace_back(std::move(m_open.back().key), std::move(value));
        } else {
            m_open.back().items.push_back(std::move(value));
        }
        return true;
    }

    bool open(bool isObject)
    {
        if (m_open.size() >= kMaxJsonDepth) {
            m_problem = "it has more than " + std::to_string(kMaxJsonDepth) + " levels";
            return false;
        }
        m_open.push_back({ isObject, {}, {}, {} });
        return true;
    }

    bool close()
    {
        Level level = std::move(m_open.back());
        m_open.pop_back();
        return add(level.isObject ? Value::object(std::move(level.entries), m_origin)
                                  : Value::list(std::move(level.items)));
    }

    Origin m_origin;
    Value m_root;
    std::vector<Level> m_open;
    std::string m_problem;
};

class JsonWriter
{
public:
    JsonWriter(Runtime& runtime, const JsonOptions& options)
        : m_runtime(runtime)
        , m_options(options)
    {
    }

    MarkedText run(const Value& value)
    {
        write(value, 0);
        return std::move(m_out);
    }

private:
    void put(std::string_view text, Origin origin = Origin::Template)
    {
        m_out.append(text, origin);
    }

    void newLine(int level)
    {
        const std::uint64_t size =
            m_out.size() + static_cast<std::uint64_t>(level) * m_options.indent.size();
        if (size > m_runtime.limits().textBytes) {
            m_runtime.checkText(size);
        }
        put("\n");
        for (int i = 0; i < level; ++i) {
            m_out.append(m_options.indent);
        }
    }

    void separator() { m_out.append(m_options.itemSeparator); }

    void write(const Value& value, int level)
    {
        m_runtime.step();
        switch (value.kind()) {
        case Kind::None:
            put("null");
            break;
        case Kind::Boolean:
            put(value.asBoolean() ? "true" : "false");
            break;
        case Kind::Integer:
            put(std::to_string(value.asInteger()));
            break;
        case Kind::Float:
            put(number(value.asReal()));
            break;
        case Kind::String:
            text(value.asText());
            break;
        case Kind::Sequence:
            if (!value.asSequence().isTuple()
                && value.asSequence().flavour != Sequence::Flavour::List) {
                refuse(value);
            }
            list(value.asSequence().items, level);
            break;
        case Kind::Mapping:
            object(value.asMapping(), level);
            break;
        default:
            refuse(value);
        }
        if (m_out.size() > m_runtime.limits().textBytes) {
            m_runtime.checkText(m_out.size());
        }
    }

    [[noreturn]] void refuse(const Value& value)
    {
        m_runtime.fail("Object of type " + value.typeName() + " is not JSON serializable");
    }

    static std::string number(double value)
    {
        if (std::isnan(value)) {
            return "NaN";
        }
        return std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity") : floatText(value);
    }

    void list(const std::vector<Value>& items, int level)
    {
        if (items.empty()) {
            put("[]");
            return;
        }
        put("[");
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) {
                separator();
            }
            if (m_options.pretty) {
                newLine(level + 1);
            }
            write(items[i], level + 1);
        }
        if (m_options.pretty) {
            newLine(level);
        }
        put("]");
    }

    void object(const Mapping& mapping, int level)
    {
        if (mapping.entries.empty()) {
            put("{}");
            return;
        }
        std::vector<const Value::Entry*> entries;
        for (const auto& entry : mapping.entries) {
            entries.push_back(&entry);
        }
        if (m_options.sortKeys) {
            std::stable_sort(entries.begin(), entries.end(), [this](const auto* a, const auto* b) {
                return lessThan(m_runtime, a->first, b->first);
            });
        }
        put("{");
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (i > 0) {
                separator();
            }
            if (m_options.pretty) {
                newLine(level + 1);
            }
            key(entries[i]->first);
            m_out.append(m_options.keySeparator);
            write(entries[i]->second, level + 1);
        }
        if (m_options.pretty) {
            newLine(level);
        }
        put("}");
    }

    void key(const Value& name)
    {
        if (name.isString()) {
            text(name.asText());
        } else if (name.isNumber() || name.isNone()) {
            put("\"");
            write(name, 0);
            put("\"");
        } else {
            m_runtime.fail("keys must be str, int, float, bool or None, not " + name.typeName());
        }
    }

    void unit(std::string& out, char32_t value)
    {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) {
            out += kDigits[(value >> shift) & 0xF];
        }
    }

    /// The escape of a character, or nothing where it stands for itself.
    std::string escape(char32_t c)
    {
        constexpr std::string_view kSpecial = "\"\\\n\r\t\b\f";
        constexpr std::string_view kLetters = "\"\\nrtbf";
        const std::size_t known =
            c < 0x80 ? kSpecial.find(static_cast<char>(c)) : std::string_view::npos;
        if (known != std::string_view::npos) {
            return { '\\', kLetters[known] };
        }
        std::string out;
        if (c < 0x20 || (m_options.ensureAscii && c > 0x7E && c < 0x10000)) {
            unit(out, c);
        } else if (m_options.ensureAscii && c >= 0x10000) {
            unit(out, 0xD800 + ((c - 0x10000) >> 10));
            unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
        }
        return out;
    }

    void text(const MarkedText& value)
    {
        m_runtime.checkText(value.size());
        put("\"");
        std::size_t plain = 0; // start of the stretch that needs no escape
        for (std::size_t i = 0; i < value.size();) {
            const std::size_t begin = i;
            const std::string escaped = escape(nextCharacter(value.bytes(), i));
            if (!escaped.empty()) {
                m_out.append(value, plain, begin);
                put(escaped, value.originAt(begin));
                plain = i;
            }
        }
        m_out.append(value, plain, value.size());
        put("\"");
    }

    Runtime& m_runtime;
    const JsonOptions& m_options;
    MarkedText m_out;
};

} // namespace

Result<Value> valueFromJson(std::string_view text, Origin origin)
{
    ValueBuilder builder(origin);
    if (!Json::sax_parse(text, &builder)) {
        return failure(ErrorCode::JsonInvalid, { builder.problem() });
    }
    return builder.take();
}

MarkedText toJson(Runtime& runtime, const Value& value, const JsonOptions& options)
{
    return JsonWriter(runtime, options).run(value);
}

} // namespace engine::chat::jinja
