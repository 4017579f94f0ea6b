// Text that remembers which of its bytes came from outside the template.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine::chat::jinja {

/// Who wrote a stretch of text: the template, or the person, model or tool whose words go through
/// it.
enum class Origin : std::uint8_t { Template, Input };

/// Bytes with the ranges that are input. Input may never be read as control tokens, so every
/// operation of the language carries these ranges along.
class MarkedText
{
public:
    /// Half open, in bytes; sorted, never empty, never touching one another.
    struct Range
    {
        std::size_t begin;
        std::size_t end;
    };

    MarkedText() = default;
    explicit MarkedText(std::string bytes, Origin origin = Origin::Template);

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] bool empty() const { return m_bytes.empty(); }
    [[nodiscard]] const std::vector<Range>& inputRanges() const { return m_input; }
    [[nodiscard]] bool hasInput() const { return !m_input.empty(); }
    /// Origin of the byte at `offset`.
    [[nodiscard]] Origin originAt(std::size_t offset) const;
    /// Input if any byte is.
    [[nodiscard]] Origin strictest() const { return hasInput() ? Origin::Input : Origin::Template; }

    void append(std::string_view bytes, Origin origin);
    void append(const MarkedText& other) { append(other, 0, other.size()); }
    void append(const MarkedText& other, std::size_t begin, std::size_t end);
    [[nodiscard]] MarkedText slice(std::size_t begin, std::size_t end) const;

private:
    void mark(std::size_t begin, std::size_t end);

    std::string m_bytes;
    std::vector<Range> m_input;
};

} // namespace engine::chat::jinja
