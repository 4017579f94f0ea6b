// One field of a pattern, laid out: what '%5.2f' and '{:5.2f}' have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine::chat::jinja {

constexpr int kMaxPrecision = 500;

/// One field, in the terms of both languages.
struct Layout
{
    std::string_view fill = " "; ///< one character
    char align = 0; ///< < > ^ = or none
    char sign = '-';
    bool alternate = false;
    char grouping = 0;
    std::int64_t width = 0;
    int precision = -1;
    char type = 0;
};

/// Reads patterns character by character (their syntax is ASCII).
class PatternReader
{
public:
    explicit PatternReader(std::string_view text)
        : m_text(text)
    {
    }
    [[nodiscard]] bool done() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    bool take(char c)
    {
        const bool found = !done() && m_text[m_at] == c;
        m_at += found ? 1 : 0;
        return found;
    }
    char next() { return done() ? '\0' : m_text[m_at++]; }
    std::optional<std::int64_t> number()
    {
        std::optional<std::int64_t> out;
        while (!done() && m_text[m_at] >= '0' && m_text[m_at] <= '9') {
            out = std::min<std::int64_t>(out.value_or(0) * 10 + (m_text[m_at++] - '0'), 1ll << 32);
        }
        return out;
    }
    [[nodiscard]] std::size_t at() const { return m_at; }
    void skipTo(std::size_t at) { m_at = at; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Refuses widths and precisions that are too large.
void checkLayout(Runtime& runtime, std::int64_t width, std::int64_t precision);
[[nodiscard]] MarkedText laidOutText(const MarkedText& text, const Layout& layout);
[[nodiscard]] std::string laidOutInteger(Runtime& runtime, std::int64_t value,
                                         const Layout& layout);
[[nodiscard]] std::string laidOutReal(double value, const Layout& layout);

} // namespace engine::chat::jinja
