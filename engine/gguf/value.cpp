#include "engine/gguf/value.h"

#include "engine/gguf/printable.h"
#include "engine/gguf/value_walk.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace engine::gguf {

namespace {

struct TypeRow
{
    std::string_view name;
    std::uint32_t size;
};

constexpr auto kTypeRows = std::to_array<TypeRow>({
    { "u8", 1 },
    { "i8", 1 },
    { "u16", 2 },
    { "i16", 2 },
    { "u32", 4 },
    { "i32", 4 },
    { "f32", 4 },
    { "bool", 1 },
    { "string", 0 },
    { "array", 0 },
    { "u64", 8 },
    { "i64", 8 },
    { "f64", 8 },
});

constexpr std::uint64_t kArrayHeader = 12; // element type u32, count u64
constexpr std::uint64_t kTextHeader = 8; // length u64

template <typename T>
std::optional<T> readAt(std::span<const std::byte> file, std::uint64_t offset,
                        ByteReader::Endian endian)
{
    ByteReader reader(file, endian);
    return reader.seek(offset) ? reader.read<T>() : std::nullopt;
}

template <typename To, typename From>
std::optional<To> inRange(std::optional<From> value)
{
    if (!value || !std::in_range<To>(*value)) {
        return std::nullopt;
    }
    return static_cast<To>(*value);
}

/// The integer at `offset`, of whichever integer type, as a To that holds it.
template <typename To>
std::optional<To> integerAt(ValueType type, std::span<const std::byte> file, std::uint64_t offset,
                            ByteReader::Endian endian)
{
    switch (type) {
    case ValueType::U8:
        return inRange<To>(readAt<std::uint8_t>(file, offset, endian));
    case ValueType::I8:
        return inRange<To>(readAt<std::int8_t>(file, offset, endian));
    case ValueType::U16:
        return inRange<To>(readAt<std::uint16_t>(file, offset, endian));
    case ValueType::I16:
        return inRange<To>(readAt<std::int16_t>(file, offset, endian));
    case ValueType::U32:
        return inRange<To>(readAt<std::uint32_t>(file, offset, endian));
    case ValueType::I32:
        return inRange<To>(readAt<std::int32_t>(file, offset, endian));
    case ValueType::U64:
        return inRange<To>(readAt<std::uint64_t>(file, offset, endian));
    case ValueType::I64:
        return inRange<To>(readAt<std::int64_t>(file, offset, endian));
    default:
        return std::nullopt;
    }
}

/// The shortest text that reads back as the same number.
template <typename T>
std::string numberText(T number)
{
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return { text.data(), end.ptr };
}

} // namespace

std::string_view valueTypeName(ValueType type)
{
    const auto number = static_cast<std::uint32_t>(type);
    return isValueType(number) ? kTypeRows[number].name : "unknown";
}

std::uint32_t valueTypeSize(ValueType type)
{
    const auto number = static_cast<std::uint32_t>(type);
    return isValueType(number) ? kTypeRows[number].size : 0;
}

Value::Value(ValueType type, std::span<const std::byte> bytes, ByteSpan span,
             ByteReader::Endian endian)
    : m_file(bytes)
    , m_span(span)
    , m_type(type)
    , m_endian(endian)
{
    if (type != ValueType::Array) {
        return;
    }
    const auto element = readAt<std::uint32_t>(m_file, span.offset, endian);
    const auto count = readAt<std::uint64_t>(m_file, span.offset + 4, endian);
    if (element && count && isValueType(*element)) {
        m_elementType = static_cast<ValueType>(*element);
        m_count = *count;
    }
}

std::optional<std::int64_t> Value::asInteger() const
{
    return integerAt<std::int64_t>(m_type, m_file, m_span.offset, m_endian);
}

std::optional<std::uint64_t> Value::asUnsigned() const
{
    return integerAt<std::uint64_t>(m_type, m_file, m_span.offset, m_endian);
}

std::optional<double> Value::asNumber() const
{
    if (m_type == ValueType::F32) {
        return readAt<float>(m_file, m_span.offset, m_endian);
    }
    if (m_type == ValueType::F64) {
        return readAt<double>(m_file, m_span.offset, m_endian);
    }
    if (const auto integer = asInteger()) {
        return static_cast<double>(*integer);
    }
    if (const auto large = asUnsigned()) {
        return static_cast<double>(*large);
    }
    return std::nullopt;
}

std::optional<bool> Value::asBool() const
{
    if (m_type != ValueType::Bool) {
        return std::nullopt;
    }
    const auto byte = readAt<std::uint8_t>(m_file, m_span.offset, m_endian);
    return byte ? std::optional(*byte != 0) : std::nullopt;
}

std::optional<std::string_view> Value::asText() const
{
    ByteReader reader(m_file, m_endian);
    if (m_type != ValueType::String || m_span.size < kTextHeader
        || !reader.seek(m_span.offset + kTextHeader)) {
        return std::nullopt;
    }
    // The span, not the length in the file: a file that is overwritten meanwhile changes only the
    // latter.
    return reader.readText(m_span.size - kTextHeader);
}

std::span<const std::byte> Value::elementBytes() const
{
    if (m_type != ValueType::Array || m_span.size < kArrayHeader || m_span.offset > m_file.size()
        || m_span.size > m_file.size() - m_span.offset) {
        return {};
    }
    return m_file.subspan(m_span.offset + kArrayHeader, m_span.size - kArrayHeader);
}

std::string Value::display(std::size_t maxText) const
{
    switch (m_type) {
    case ValueType::Bool: {
        const auto flag = asBool();
        return !flag ? std::string() : *flag ? "true" : "false";
    }
    case ValueType::F32: {
        const auto number = readAt<float>(m_file, m_span.offset, m_endian);
        return number ? numberText(*number) : std::string();
    }
    case ValueType::F64: {
        const auto number = readAt<double>(m_file, m_span.offset, m_endian);
        return number ? numberText(*number) : std::string();
    }
    case ValueType::String: {
        const auto text = asText();
        return text ? '"' + printable(*text, maxText) + '"' : std::string();
    }
    case ValueType::Array:
        return '[' + numberText(m_count) + " × " + std::string(valueTypeName(m_elementType)) + ']';
    default:
        if (const auto integer = asInteger()) {
            return numberText(*integer);
        }
        const auto large = asUnsigned();
        return large ? numberText(*large) : std::string();
    }
}

Value::Cursor::Cursor(const Value& array)
    : m_file(array.m_file)
    , m_reader(array.m_file, array.m_endian)
    , m_elementType(array.m_elementType)
    , m_left(0)
    , m_endian(array.m_endian)
{
    if (!array.elementBytes().empty() && m_reader.seek(array.m_span.offset + kArrayHeader)) {
        m_left = array.m_count;
    }
}

std::optional<Value> Value::Cursor::next()
{
    if (m_left == 0) {
        return std::nullopt;
    }
    const std::uint64_t start = m_reader.position();
    if (skipValue(m_reader, m_elementType).fault != ValueWalk::Fault::None) {
        m_left = 0; // only when the file was overwritten after it was opened
        return std::nullopt;
    }
    --m_left;
    return Value(m_elementType, m_file, { start, m_reader.position() - start }, m_endian);
}

} // namespace engine::gguf
