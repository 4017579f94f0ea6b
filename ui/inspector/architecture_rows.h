// The rows of the picture of an architecture: sections, with runs of blocks that are alike folded;
// and the way through their cells. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/architecture_outline.h"

#include <cstddef>
#include <vector>

/// A cell of a row; below 0: none. The line of a fold is its only cell.
struct ArchitecturePlace
{
    int row = -1;
    int cell = -1;
    friend bool operator==(const ArchitecturePlace&, const ArchitecturePlace&) = default;
};

/// Made on any thread, then owned by one. The outline outlives it.
class ArchitectureRows
{
public:
    /// Some tensors of a part.
    struct Slice
    {
        const engine::model::OutlinedPart* part;
        std::size_t first;
        std::size_t count;
    };
    struct Row
    {
        std::size_t section; ///< of the outline; of a fold the first one in it
        std::size_t folded = 0; ///< sections that stand for the one above; 0: no fold
        bool isOpen = false; ///< those sections follow
        bool isContinued = false; ///< of a section that has more tensors than go into a row
        std::vector<Slice> slices;
        [[nodiscard]] int cells() const;
    };
    enum class Step { Left, Right, Up, Down, First, Last };

    ArchitectureRows() = default;
    /// All folds are closed.
    ArchitectureRows(const engine::gguf::GgufFile& file, const engine::model::Outline& outline);

    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    /// Null for a fold and outside the rows.
    [[nodiscard]] const engine::model::OutlinedTensor* tensorAt(ArchitecturePlace place) const;
    /// Of a tensor by its number in the file; in a closed fold: the fold's.
    [[nodiscard]] ArchitecturePlace placeOf(int tensor) const;
    /// The way of an arrow key where so many cells stand side by side; stays where there is no way.
    [[nodiscard]] ArchitecturePlace step(ArchitecturePlace from, Step way, int columns) const;
    /// The next odd tensor after `from` (before it), around the end; none where there is none.
    [[nodiscard]] ArchitecturePlace odd(ArchitecturePlace from, bool forward) const;

    /// The rows that a fold shows when open, in their order.
    [[nodiscard]] std::vector<Row> foldedRows(std::size_t row) const;
    /// Opens or closes a fold. `shown`: its rows.
    void toggle(std::size_t row, std::vector<Row> shown);

private:
    void append(std::vector<Row>& rows, std::size_t section) const;
    [[nodiscard]] ArchitecturePlace beside(ArchitecturePlace from, int by) const;
    [[nodiscard]] ArchitecturePlace below(ArchitecturePlace from, int columns) const;
    [[nodiscard]] ArchitecturePlace above(ArchitecturePlace from, int columns) const;

    const engine::model::Outline* m_outline = nullptr;
    std::vector<Row> m_rows;
};
