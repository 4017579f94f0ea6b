#include "engine/text/utf8_stream.h"

namespace engine::text {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a byte sequence begins with: `length` bytes that are a character, a broken start, or an
/// unfinished one.
struct Start
{
    enum class Kind { Whole, Broken, Unfinished };
    Kind kind;
    std::size_t length;
};

/// The range of the second byte depends on the first: it excludes overlong forms, surrogates and
/// what lies above U+10FFFF (Unicode table 3-7).
bool secondByteFits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return second >= 0x80 && second <= 0xBF;
    }
}

Start startOf(std::string_view bytes)
{
    const auto first = static_cast<unsigned char>(bytes.front());
    if (first < 0x80) {
        return { Start::Kind::Whole, 1 };
    }
    if (first < 0xC2 || first > 0xF4) {
        return { Start::Kind::Broken, 1 };
    }
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (std::size_t i = 1; i < length; ++i) {
        if (i == bytes.size()) {
            return { Start::Kind::Unfinished, i };
        }
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const bool fits = i == 1 ? secondByteFits(first, byte) : (byte & 0xC0) == 0x80;
        if (!fits) {
            return { Start::Kind::Broken, i };
        }
    }
    return { Start::Kind::Whole, length };
}

} // namespace

std::string Utf8Stream::push(std::string_view bytes)
{
    m_pending += bytes;
    std::string out;
    std::string_view rest = m_pending;
    while (!rest.empty()) {
        const Start start = startOf(rest);
        if (start.kind == Start::Kind::Unfinished) {
            break;
        }
        out += start.kind == Start::Kind::Whole ? rest.substr(0, start.length) : kReplacement;
        rest.remove_prefix(start.length);
    }
    m_pending.erase(0, m_pending.size() - rest.size());
    return out;
}

std::string Utf8Stream::finish()
{
    // An unfinished start is one maximal subpart, so one replacement stands for all its bytes.
    std::string out(m_pending.empty() ? std::string_view() : kReplacement);
    m_pending.clear();
    return out;
}

} // namespace engine::text
