#include "ui/inspector/architecture_rows.h"

#include <algorithm>

using engine::model::Outline;
using engine::model::OutlinedTensor;
using engine::model::OutlineSection;

namespace {

constexpr std::size_t kMostCells = 48; // of a row, so that each is made in no time
constexpr std::size_t kShortestFold = 2;

/// The slice that holds a cell of a row, and the place of the cell in it.
struct Spot
{
    std::size_t slice = 0;
    int cell = 0;
};

Spot spotOf(const ArchitectureRows::Row& row, int cell)
{
    Spot spot { 0, cell };
    while (spot.slice + 1 < row.slices.size()
           && spot.cell >= static_cast<int>(row.slices[spot.slice].count)) {
        spot.cell -= static_cast<int>(row.slices[spot.slice].count);
        ++spot.slice;
    }
    return spot;
}

/// The lines of cells in a row: for each slice its length; a fold is a line of one.
std::vector<int> lengthsOf(const ArchitectureRows::Row& row)
{
    std::vector<int> lengths;
    for (const auto& slice : row.slices) {
        lengths.push_back(static_cast<int>(slice.count));
    }
    return lengths.empty() ? std::vector { 1 } : lengths;
}

/// Numbers of tensors in the file lie within the section.
bool holds(const OutlineSection& section, int tensor)
{
    return std::ranges::any_of(section.parts, [tensor](const auto& part) {
        return std::ranges::find(part.tensors, tensor, &OutlinedTensor::number)
            != part.tensors.end();
    });
}

} // namespace

int ArchitectureRows::Row::cells() const
{
    std::size_t cells = folded > 0 ? 1 : 0;
    for (const Slice& slice : slices) {
        cells += slice.count;
    }
    return static_cast<int>(cells);
}

ArchitectureRows::ArchitectureRows(const engine::gguf::GgufFile& file, const Outline& outline)
    : m_outline(&outline)
{
    const auto& sections = outline.sections;
    for (std::size_t at = 0; at < sections.size();) {
        append(m_rows, at);
        std::size_t end = at + 1;
        while (end < sections.size() && sections[at].kind == OutlineSection::Kind::Block
               && engine::model::alike(file, sections[at], sections[end])) {
            ++end;
        }
        if (end - at - 1 >= kShortestFold) {
            m_rows.push_back({ .section = at + 1, .folded = end - at - 1 });
        } else {
            for (std::size_t rest = at + 1; rest < end; ++rest) {
                append(m_rows, rest);
            }
        }
        at = end;
    }
}

void ArchitectureRows::append(std::vector<Row>& rows, std::size_t section) const
{
    Row row { .section = section };
    std::size_t room = kMostCells;
    for (const auto& part : m_outline->sections[section].parts) {
        for (std::size_t first = 0; first < part.tensors.size();) {
            if (room == 0) {
                rows.push_back(row);
                row = { .section = section, .isContinued = true };
                room = kMostCells;
            }
            const std::size_t count = std::min(room, part.tensors.size() - first);
            row.slices.push_back({ &part, first, count });
            first += count;
            room -= count;
        }
    }
    rows.push_back(std::move(row));
}

const OutlinedTensor* ArchitectureRows::tensorAt(ArchitecturePlace place) const
{
    if (place.row < 0 || place.row >= static_cast<int>(m_rows.size())) {
        return nullptr;
    }
    const Row& row = m_rows[static_cast<std::size_t>(place.row)];
    if (row.slices.empty() || place.cell < 0 || place.cell >= row.cells()) {
        return nullptr;
    }
    const Spot spot = spotOf(row, place.cell);
    const Slice& slice = row.slices[spot.slice];
    return &slice.part->tensors[slice.first + static_cast<std::size_t>(spot.cell)];
}

ArchitecturePlace ArchitectureRows::placeOf(int tensor) const
{
    ArchitecturePlace shared; // what stands for it in another place: only if there is no better one
    ArchitecturePlace fold;
    for (int at = 0; tensor >= 0 && at < static_cast<int>(m_rows.size()); ++at) {
        const Row& row = m_rows[static_cast<std::size_t>(at)];
        for (std::size_t next = 0; next < (row.isOpen ? 0 : row.folded) && fold.row < 0; ++next) {
            if (holds(m_outline->sections[row.section + next], tensor)) {
                fold = { at, 0 };
            }
        }
        int cell = 0;
        for (const Slice& slice : row.slices) {
            for (std::size_t each = slice.first; each < slice.first + slice.count; ++each, ++cell) {
                const OutlinedTensor& found = slice.part->tensors[each];
                if (found.number != tensor) {
                    continue;
                }
                if (found.state != engine::model::TensorState::Shared) {
                    return { at, cell };
                }
                shared = { at, cell };
            }
        }
    }
    return fold.row >= 0 ? fold : shared;
}

ArchitecturePlace ArchitectureRows::step(ArchitecturePlace from, Step way, int columns) const
{
    if (m_rows.empty()) {
        return {};
    }
    const ArchitecturePlace last { static_cast<int>(m_rows.size()) - 1, m_rows.back().cells() - 1 };
    if (from.row < 0 || from.row > last.row || from.cell < 0) {
        return way == Step::Last || way == Step::Up ? last : ArchitecturePlace { 0, 0 };
    }
    const int cells = m_rows[static_cast<std::size_t>(from.row)].cells();
    from.cell = std::min(from.cell, cells - 1);
    switch (way) {
    case Step::Left:
        return beside(from, -1);
    case Step::Right:
        return beside(from, 1);
    case Step::Up:
        return above(from, std::max(1, columns));
    case Step::Down:
        return below(from, std::max(1, columns));
    case Step::First:
        return { 0, 0 };
    case Step::Last:
        break;
    }
    return last;
}

ArchitecturePlace ArchitectureRows::beside(ArchitecturePlace from, int by) const
{
    const int cell = from.cell + by;
    if (cell >= 0 && cell < m_rows[static_cast<std::size_t>(from.row)].cells()) {
        return { from.row, cell };
    }
    const int row = from.row + by;
    if (row < 0 || row >= static_cast<int>(m_rows.size())) {
        return from;
    }
    return { row, by > 0 ? 0 : m_rows[static_cast<std::size_t>(row)].cells() - 1 };
}

ArchitecturePlace ArchitectureRows::below(ArchitecturePlace from, int columns) const
{
    const Row& row = m_rows[static_cast<std::size_t>(from.row)];
    const Spot spot = spotOf(row, from.cell);
    const auto lengths = lengthsOf(row);
    const int length = lengths[spot.slice];
    const int start = from.cell - spot.cell;
    const int column = spot.cell % columns;
    const int nextLine = spot.cell - column + columns;
    if (nextLine < length) {
        return { from.row, start + std::min(nextLine + column, length - 1) };
    }
    if (spot.slice + 1 < lengths.size()) {
        return { from.row, start + length + std::min(column, lengths[spot.slice + 1] - 1) };
    }
    if (from.row + 1 >= static_cast<int>(m_rows.size())) {
        return from;
    }
    const Row& next = m_rows[static_cast<std::size_t>(from.row) + 1];
    return { from.row + 1, std::min(column, lengthsOf(next).front() - 1) };
}

ArchitecturePlace ArchitectureRows::above(ArchitecturePlace from, int columns) const
{
    const Row& row = m_rows[static_cast<std::size_t>(from.row)];
    const Spot spot = spotOf(row, from.cell);
    const int column = spot.cell % columns;
    if (spot.cell >= columns) {
        return { from.row, from.cell - columns };
    }
    // The last line of what stands above.
    const auto inLastLine = [column, columns](int length) {
        return std::min((length - 1) / columns * columns + column, length - 1);
    };
    const int start = from.cell - spot.cell;
    if (spot.slice > 0) {
        const int length = lengthsOf(row)[spot.slice - 1];
        return { from.row, start - length + inLastLine(length) };
    }
    if (from.row == 0) {
        return from;
    }
    const Row& previous = m_rows[static_cast<std::size_t>(from.row) - 1];
    const int length = lengthsOf(previous).back();
    return { from.row - 1, previous.cells() - length + inLastLine(length) };
}

ArchitecturePlace ArchitectureRows::odd(ArchitecturePlace from, bool forward) const
{
    std::vector<ArchitecturePlace> all;
    for (int at = 0; at < static_cast<int>(m_rows.size()); ++at) {
        for (int cell = 0; cell < m_rows[static_cast<std::size_t>(at)].cells(); ++cell) {
            const OutlinedTensor* tensor = tensorAt({ at, cell });
            if (tensor != nullptr && engine::model::isOdd(tensor->state)) {
                all.push_back({ at, cell });
            }
        }
    }
    if (all.empty()) {
        return {};
    }
    const auto isBefore = [](const ArchitecturePlace& a, const ArchitecturePlace& b) {
        return a.row != b.row ? a.row < b.row : a.cell < b.cell;
    };
    if (forward) {
        const auto next = std::ranges::upper_bound(all, from, isBefore);
        return next != all.end() ? *next : all.front();
    }
    const auto next = std::ranges::lower_bound(all, from, isBefore);
    return next != all.begin() ? *(next - 1) : all.back();
}

std::vector<ArchitectureRows::Row> ArchitectureRows::foldedRows(std::size_t row) const
{
    std::vector<Row> rows;
    const Row& fold = m_rows[row];
    for (std::size_t next = 0; next < fold.folded; ++next) {
        append(rows, fold.section + next);
    }
    return rows;
}

void ArchitectureRows::toggle(std::size_t row, std::vector<Row> shown)
{
    const auto after = m_rows.begin() + static_cast<std::ptrdiff_t>(row) + 1;
    m_rows[row].isOpen = !m_rows[row].isOpen;
    if (m_rows[row].isOpen) {
        m_rows.insert(after, std::make_move_iterator(shown.begin()),
                      std::make_move_iterator(shown.end()));
    } else {
        m_rows.erase(after, after + static_cast<std::ptrdiff_t>(shown.size()));
    }
}
