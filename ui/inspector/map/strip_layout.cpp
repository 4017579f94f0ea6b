// Where a file's sections lie on the strip.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/strip_layout.h"

#include <algorithm>
#include <cmath>

using engine::gguf::Section;

namespace {

// In the logarithmic strip, what all tensors together are to one section that is none, at most; in
// a set of parts to those of its kind in all of them.
constexpr double kTensorsToOther = 16;

double logarithmicLength(std::uint64_t size)
{
    return std::log2(1 + static_cast<double>(size));
}

// Sections that people look for, and not the padding between tensors.
bool isLandmark(const StripSection& part)
{
    switch (part.section.kind) {
    case Section::Kind::Header:
    case Section::Kind::Metadata:
    case Section::Kind::Directory:
    case Section::Kind::Trailing:
        return true;
    case Section::Kind::Padding:
    case Section::Kind::Data:
    case Section::Kind::Gap:
        break;
    }
    return false;
}

} // namespace

bool StripSection::isUnowned() const
{
    return section.kind == Section::Kind::Gap || section.kind == Section::Kind::Trailing;
}

StripLayout::StripLayout(std::shared_ptr<const engine::gguf::GgufFile> file, StripScale scale)
    : m_file(std::move(file))
{
    if (!m_file) {
        return;
    }
    const auto tensors = m_file->tensors();
    for (const Section& section : m_file->sections()) {
        int tensor = -1;
        if (section.kind == Section::Kind::Data) {
            const auto isIt = [&section](const auto& info) {
                return info.data.offset <= section.span.offset
                    && section.span.offset - info.data.offset <= info.data.size;
            };
            const auto* info = m_file->findTensor(section.name);
            if (info != nullptr && !isIt(*info)) { // two models in one file have two of a name
                const auto found = std::ranges::find_if(tensors, [&](const auto& each) {
                    return each.name == section.name && isIt(each);
                });
                info = found == tensors.end() ? info : &*found;
            }
            tensor = info == nullptr ? -1 : static_cast<int>(info - tensors.data());
        }
        m_sections.push_back({ .section = section, .tensor = tensor });
    }
    place(scale);
}

StripLayout::StripLayout(std::vector<StripSection> sections, StripScale scale)
    : m_sections(std::move(sections))
{
    place(scale);
}

void StripLayout::place(StripScale scale)
{
    double least = 0;
    if (scale == StripScale::Logarithmic) {
        double sum = 0;
        for (const StripSection& part : m_sections) {
            sum += isLandmark(part) ? 0 : logarithmicLength(part.section.span.size);
        }
        const auto parts = std::ranges::count_if(m_sections, [](const StripSection& part) {
            return part.section.kind == Section::Kind::Header;
        });
        least = sum / (kTensorsToOther * static_cast<double>(std::max<std::ptrdiff_t>(1, parts)));
    }
    double position = 0;
    for (StripSection& part : m_sections) {
        const std::uint64_t size = part.section.span.size;
        part.start = position;
        part.length = scale == StripScale::ToScale
            ? static_cast<double>(size)
            : std::max(logarithmicLength(size), isLandmark(part) ? least : 0);
        position += part.length;
    }
}

std::uint64_t StripLayout::fileSize() const
{
    return m_sections.empty() ? 0 : m_sections.back().section.span.end();
}

double StripLayout::placeOf(std::uint64_t offset) const
{
    const auto index = sectionOf(offset);
    if (!index) {
        return length();
    }
    const StripSection& part = m_sections[*index];
    return part.start
        + part.length * static_cast<double>(offset - part.section.span.offset)
        / static_cast<double>(part.section.span.size);
}

std::uint64_t StripLayout::offsetAt(double position) const
{
    if (m_sections.empty()) {
        return 0;
    }
    const auto index = sectionAt(std::clamp(position, 0.0, std::nextafter(length(), 0.0)));
    const StripSection& part = m_sections[index.value_or(m_sections.size() - 1)];
    const double share = std::clamp((position - part.start) / part.length, 0.0, 1.0);
    const auto inside =
        static_cast<std::uint64_t>(share * static_cast<double>(part.section.span.size));
    return part.section.span.offset + std::min(inside, part.section.span.size - 1);
}

std::optional<std::size_t> StripLayout::sectionOf(std::uint64_t offset) const
{
    const auto after = std::ranges::upper_bound(
        m_sections, offset, {}, [](const StripSection& part) { return part.section.span.offset; });
    if (after == m_sections.begin() || offset >= std::prev(after)->section.span.end()) {
        return {};
    }
    return static_cast<std::size_t>(std::prev(after) - m_sections.begin());
}

std::optional<std::size_t> StripLayout::sectionAt(double position) const
{
    if (position < 0 || position >= length()) {
        return {};
    }
    const auto after = std::ranges::upper_bound(m_sections, position, {}, &StripSection::start);
    return static_cast<std::size_t>(std::prev(after) - m_sections.begin());
}
