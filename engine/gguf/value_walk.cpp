#include "engine/gguf/value_walk.h"

#include <algorithm>

namespace engine::gguf {

namespace {

using Fault = ValueWalk::Fault;

constexpr std::uint64_t kTextHeader = 8; // length
constexpr std::uint64_t kArrayHeader = 12; // element type, count

std::uint64_t smallestSize(ValueType type)
{
    switch (type) {
    case ValueType::String:
        return kTextHeader;
    case ValueType::Array:
        return kArrayHeader;
    default:
        return valueTypeSize(type);
    }
}

/// Walks one value; `m_walk` keeps the first fault.
class Walker
{
public:
    explicit Walker(ByteReader& reader)
        : m_reader(reader)
    {
    }

    bool skip(ValueType type, int depth)
    {
        if (type == ValueType::String) {
            return skipText();
        }
        if (type == ValueType::Array) {
            return skipArray(depth + 1);
        }
        return m_reader.skip(valueTypeSize(type)) || fail(Fault::FileEnds, m_reader.position(), 0);
    }

    [[nodiscard]] const ValueWalk& walk() const { return m_walk; }

private:
    bool skipText()
    {
        const std::uint64_t start = m_reader.position();
        const auto length = m_reader.read<std::uint64_t>();
        if (!length) {
            return fail(Fault::FileEnds, start, 0);
        }
        return m_reader.skip(*length) || fail(Fault::TextLength, start, *length);
    }

    // Recursion is bounded by kMaxArrayDepth.
    bool skipArray(int depth)
    {
        const std::uint64_t start = m_reader.position();
        m_walk.depth = std::max(m_walk.depth, depth);
        if (depth > kMaxArrayDepth) {
            return fail(Fault::TooDeep, start, static_cast<std::uint64_t>(depth));
        }
        const auto number = m_reader.read<std::uint32_t>();
        if (!number) {
            return fail(Fault::FileEnds, start, 0);
        }
        if (!isValueType(*number)) {
            return fail(Fault::UnknownType, start, *number);
        }
        const std::uint64_t countAt = m_reader.position();
        const auto count = m_reader.read<std::uint64_t>();
        if (!count) {
            return fail(Fault::FileEnds, countAt, 0);
        }
        const auto element = static_cast<ValueType>(*number);
        if (*count > m_reader.remaining() / smallestSize(element)) {
            m_walk.elementType = element;
            return fail(Fault::ArrayCount, countAt, *count);
        }
        if (const std::uint64_t size = valueTypeSize(element); size != 0) {
            return m_reader.skip(size * *count);
        }
        for (std::uint64_t i = 0; i < *count; ++i) {
            if (!skip(element, depth)) {
                return false;
            }
        }
        return true;
    }

    bool fail(Fault fault, std::uint64_t offset, std::uint64_t number)
    {
        m_walk.fault = fault;
        m_walk.offset = offset;
        m_walk.number = number;
        m_walk.left = m_reader.remaining();
        return false;
    }

    ByteReader& m_reader;
    ValueWalk m_walk;
};

} // namespace

bool isValueType(std::uint32_t number)
{
    return number <= static_cast<std::uint32_t>(ValueType::F64);
}

ValueWalk skipValue(ByteReader& reader, ValueType type)
{
    Walker walker(reader);
    static_cast<void>(walker.skip(type, 0)); // the walk tells
    return walker.walk();
}

} // namespace engine::gguf
