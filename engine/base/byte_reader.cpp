#include "engine/base/byte_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace engine {

ByteReader::ByteReader(std::span<const std::byte> bytes, Endian endian)
    : m_bytes(bytes)
    , m_endian(endian)
{
}

bool ByteReader::seek(std::uint64_t offset)
{
    if (offset > m_bytes.size()) {
        return false;
    }
    m_position = offset;
    return true;
}

bool ByteReader::skip(std::uint64_t count)
{
    if (count > remaining()) {
        return false;
    }
    m_position += count;
    return true;
}

template <typename T>
std::optional<T> ByteReader::read()
{
    if (remaining() < sizeof(T)) {
        return std::nullopt;
    }
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), m_bytes.data() + m_position, sizeof(T));
    if (m_endian == Endian::Big) {
        std::reverse(raw.begin(), raw.end());
    }
    m_position += sizeof(T);
    return std::bit_cast<T>(raw);
}

template std::optional<std::uint8_t> ByteReader::read();
template std::optional<std::int8_t> ByteReader::read();
template std::optional<std::uint16_t> ByteReader::read();
template std::optional<std::int16_t> ByteReader::read();
template std::optional<std::uint32_t> ByteReader::read();
template std::optional<std::int32_t> ByteReader::read();
template std::optional<std::uint64_t> ByteReader::read();
template std::optional<std::int64_t> ByteReader::read();
template std::optional<float> ByteReader::read();
template std::optional<double> ByteReader::read();

std::optional<std::string_view> ByteReader::readText(std::uint64_t size)
{
    if (size > remaining()) {
        return std::nullopt;
    }
    const auto* text = reinterpret_cast<const char*>(m_bytes.data() + m_position);
    m_position += size;
    return std::string_view(text, size);
}

} // namespace engine
