// A file's sections in a row, to scale or by the logarithm of their sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

enum class StripScale { ToScale, Logarithmic };

/// A section of the file and where it lies on the strip.
struct StripSection
{
    engine::gguf::Section section;
    int tensor = -1; ///< index in GgufFile::tensors(); −1 for what is no tensor's data
    double start = 0; ///< on the strip, in its own units
    double length = 0;

    [[nodiscard]] double end() const { return start + length; }
    /// What is read by nobody: a gap, what lies past the end or behind a defect.
    [[nodiscard]] bool isUnowned() const;
};

/// Positions on the strip from 0 to length(): bytes when to scale; else each section is as long as
/// the logarithm of its size, and what is no tensor gets a visible share however many tensors there
/// are. Inside of a section positions are linear in both. Immutable.
class StripLayout
{
public:
    StripLayout() = default;
    StripLayout(std::shared_ptr<const engine::gguf::GgufFile> file, StripScale scale);
    /// The same of made-up sections: in order, without gaps.
    StripLayout(std::vector<StripSection> sections, StripScale scale);

    [[nodiscard]] std::span<const StripSection> sections() const { return m_sections; }
    [[nodiscard]] double length() const { return m_sections.empty() ? 0 : m_sections.back().end(); }
    [[nodiscard]] std::uint64_t fileSize() const;
    /// The position of a byte's beginning; the length for everything at and after the end.
    [[nodiscard]] double placeOf(std::uint64_t offset) const;
    /// The byte at a position, clamped into the file.
    [[nodiscard]] std::uint64_t offsetAt(double position) const;
    /// Index of the section with that byte, or at that position; nothing outside.
    [[nodiscard]] std::optional<std::size_t> sectionOf(std::uint64_t offset) const;
    [[nodiscard]] std::optional<std::size_t> sectionAt(double position) const;

private:
    void place(StripScale scale);

    std::shared_ptr<const engine::gguf::GgufFile> m_file; // owns the names
    std::vector<StripSection> m_sections;
};
