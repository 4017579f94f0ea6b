#include "engine/session/stop_matcher.h"

#include <algorithm>

namespace engine::session {

StopMatcher::StopMatcher(std::vector<std::string> stopTexts)
    : m_stopTexts(std::move(stopTexts))
{
    std::erase_if(m_stopTexts, [](const std::string& text) { return text.empty(); });
}

std::string StopMatcher::push(std::string_view text)
{
    if (m_matched) {
        return {};
    }
    m_waiting += text;
    auto first = std::string::npos;
    for (const auto& stop : m_stopTexts) {
        first = std::min(first, m_waiting.find(stop));
    }
    if (first != std::string::npos) {
        m_matched = true;
        auto before = m_waiting.substr(0, first);
        m_waiting.clear();
        return before;
    }
    // the longest end that begins a stop text
    std::size_t held = 0;
    for (const auto& stop : m_stopTexts) {
        for (auto n = std::min(stop.size() - 1, m_waiting.size()); n > held; --n) {
            if (m_waiting.ends_with(std::string_view(stop).substr(0, n))) {
                held = n;
            }
        }
    }
    auto sure = m_waiting.substr(0, m_waiting.size() - held);
    m_waiting.erase(0, sure.size());
    return sure;
}

std::string StopMatcher::finish()
{
    return std::move(m_waiting);
}

} // namespace engine::session
