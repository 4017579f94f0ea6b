#include "engine/chat/jinja/marked_text.h"

#include <algorithm>

namespace engine::chat::jinja {

MarkedText::MarkedText(std::string bytes, Origin origin)
    : m_bytes(std::move(bytes))
{
    if (origin == Origin::Input && !m_bytes.empty()) {
        m_input.push_back({ 0, m_bytes.size() });
    }
}

Origin MarkedText::originAt(std::size_t offset) const
{
    const auto after =
        std::upper_bound(m_input.begin(), m_input.end(), offset,
                         [](std::size_t place, const Range& range) { return place < range.end; });
    return after != m_input.end() && after->begin <= offset ? Origin::Input : Origin::Template;
}

void MarkedText::mark(std::size_t begin, std::size_t end)
{
    if (begin == end) {
        return;
    }
    if (!m_input.empty() && m_input.back().end == begin) {
        m_input.back().end = end;
    } else {
        m_input.push_back({ begin, end });
    }
}

void MarkedText::append(std::string_view bytes, Origin origin)
{
    const std::size_t begin = m_bytes.size();
    m_bytes.append(bytes);
    if (origin == Origin::Input) {
        mark(begin, m_bytes.size());
    }
}

void MarkedText::append(const MarkedText& other, std::size_t begin, std::size_t end)
{
    const std::size_t base = m_bytes.size();
    m_bytes.append(other.m_bytes, begin, end - begin);
    auto range = std::upper_bound(other.m_input.begin(), other.m_input.end(), begin,
                                  [](std::size_t place, const Range& r) { return place < r.end; });
    for (; range != other.m_input.end() && range->begin < end; ++range) {
        mark(base + std::max(range->begin, begin) - begin,
             base + std::min(range->end, end) - begin);
    }
}

MarkedText MarkedText::slice(std::size_t begin, std::size_t end) const
{
    MarkedText out;
    out.append(*this, begin, end);
    return out;
}

} // namespace engine::chat::jinja
