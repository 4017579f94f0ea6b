// Metadata values as they lie in the file: type, byte span, typed access without copying arrays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/byte_reader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::gguf {

/// Numbers as in the file (gguf_metadata_value_type).
enum class ValueType : std::uint32_t {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
};

/// "u8", "string", "array", …
[[nodiscard]] std::string_view valueTypeName(ValueType type);
/// Bytes of a fixed-size type; 0 for String and Array.
[[nodiscard]] std::uint32_t valueTypeSize(ValueType type);

/// Where something lies in the file.
struct ByteSpan
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    [[nodiscard]] std::uint64_t end() const { return offset + size; }
};

/// One metadata value (or element of an array). A light view: 48 bytes, valid as long as its file.
class Value
{
public:
    Value() = default;
    Value(ValueType type, std::span<const std::byte> bytes, ByteSpan span,
          ByteReader::Endian endian);

    [[nodiscard]] ValueType type() const { return m_type; }
    /// The value's own bytes in the file (length prefixes and array header included).
    [[nodiscard]] ByteSpan span() const { return m_span; }

    /// Any integer type, value-preserving; nothing for other types or out of range.
    [[nodiscard]] std::optional<std::int64_t> asInteger() const;
    [[nodiscard]] std::optional<std::uint64_t> asUnsigned() const;
    /// F32, F64 and integers.
    [[nodiscard]] std::optional<double> asNumber() const;
    /// Bool only; any non-zero byte is true.
    [[nodiscard]] std::optional<bool> asBool() const;
    /// String only; raw bytes, may hold NUL or invalid UTF-8.
    [[nodiscard]] std::optional<std::string_view> asText() const;

    /// Array only: element type and count (0 otherwise).
    [[nodiscard]] ValueType elementType() const { return m_elementType; }
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    /// The bytes of the elements, as they lie in the file.
    [[nodiscard]] std::span<const std::byte> elementBytes() const;

    /// Forward iteration over any array, O(1) a step and without allocation. `next` gives nothing
    /// at the end.
    class Cursor
    {
    public:
        explicit Cursor(const Value& array);
        [[nodiscard]] std::optional<Value> next();

    private:
        std::span<const std::byte> m_file;
        ByteReader m_reader;
        ValueType m_elementType;
        std::uint64_t m_left;
        ByteReader::Endian m_endian;
    };
    [[nodiscard]] Cursor elements() const { return Cursor(*this); }

    /// A short human form: numbers, quoted text cut at `maxText` bytes, "[3 × string]".
    [[nodiscard]] std::string display(std::size_t maxText = 120) const;

private:
    friend class Cursor;
    std::span<const std::byte> m_file; // the whole file
    ByteSpan m_span;
    std::uint64_t m_count = 0;
    ValueType m_type = ValueType::U8;
    ValueType m_elementType = ValueType::U8;
    ByteReader::Endian m_endian = ByteReader::Endian::Little;
};

} // namespace engine::gguf
