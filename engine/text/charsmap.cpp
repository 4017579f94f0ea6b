#include "engine/text/charsmap.h"

#include "engine/base/byte_reader.h"

namespace engine::text {

namespace {

// A node that no byte leads to has this bit, so that it equals no label.
constexpr std::uint32_t kValueBit = 1u << 31;

constexpr std::uint32_t labelOf(std::uint32_t unit)
{
    return unit & (kValueBit | 0xFF);
}

constexpr bool endsText(std::uint32_t unit)
{
    return (unit >> 8 & 1) != 0;
}

constexpr std::uint32_t offsetOf(std::uint32_t unit)
{
    const bool isFar = (unit >> 9 & 1) != 0;
    return unit >> 10 << (isFar ? 8 : 0);
}

} // namespace

Result<Charsmap> Charsmap::read(const gguf::Value& value)
{
    Charsmap map;
    const auto bytes = value.elementBytes();
    if (bytes.empty()) {
        return map;
    }
    ByteReader reader(bytes);
    const auto size = reader.read<std::uint32_t>();
    if (!size || *size % sizeof(std::uint32_t) != 0 || *size >= reader.remaining()) {
        return failure(ErrorCode::CharsmapBroken, { "its trie reaches past its end" });
    }
    map.m_units.reserve(*size / sizeof(std::uint32_t));
    for (std::uint32_t done = 0; done < *size; done += sizeof(std::uint32_t)) {
        map.m_units.push_back(reader.read<std::uint32_t>().value_or(0));
    }
    map.m_replacements = reader.readText(reader.remaining()).value_or(std::string_view());
    if (map.m_replacements.back() != '\0') {
        return failure(ErrorCode::CharsmapBroken, { "its last replacement has no end" });
    }
    return map;
}

Charsmap::Replacement Charsmap::longest(std::string_view text) const
{
    Replacement best;
    if (m_units.empty()) {
        return best;
    }
    std::uint32_t at = offsetOf(m_units.front());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        at ^= byte;
        if (byte == 0 || at >= m_units.size() || labelOf(m_units[at]) != byte) {
            break;
        }
        const std::uint32_t unit = m_units[at];
        at ^= offsetOf(unit);
        if (endsText(unit) && at < m_units.size()) {
            const std::uint32_t begin = m_units[at] & ~kValueBit;
            if (begin < m_replacements.size()) {
                const std::string_view rest = m_replacements.substr(begin);
                best = { i + 1, rest.substr(0, rest.find('\0')) };
            }
        }
    }
    return best;
}

} // namespace engine::text
