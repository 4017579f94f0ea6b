// A tensor as a grid of few cells: what a heat map shows of its values or of its block scales.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <vector>

namespace engine::eval {

/// What the columns of a picture are.
enum class PictureOf {
    Values, ///< weights
    Scales ///< the scale of each block (of its first group where every group has a scale)
};

/// What a cell shows of the numbers in it.
enum class CellValue { Mean, LargestMagnitude };

/// Rows and columns of a tensor; rows count through all dimensions above the first. Made larger
/// than the tensor by default, that is all of it.
struct PictureArea
{
    std::uint64_t firstRow = 0;
    std::uint64_t rows = UINT64_MAX;
    std::uint64_t firstColumn = 0;
    std::uint64_t columns = UINT64_MAX;

    bool operator==(const PictureArea&) const = default;
};

struct PictureRequest
{
    PictureOf of = PictureOf::Values;
    CellValue cell = CellValue::Mean;
    PictureArea area; ///< cut to the tensor
    std::uint32_t width = 0; ///< at most so many cells in a row
    std::uint32_t height = 0; ///< at most so many rows of cells
};

/// The cells of an area. Where it has no more columns (rows) than cells were allowed, each has a
/// cell of its own: then a cell is exactly that number (or its magnitude).
struct TensorPicture
{
    PictureArea area; ///< what is shown; without rows or columns there are no cells
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<float> cells; ///< row by row; NaN where a number in the cell is NaN or infinite
    float min = 0; ///< of the other cells; 0 without any
    float max = 0;
    std::uint64_t badCells = 0; ///< those that are NaN

    [[nodiscard]] float at(std::uint32_t x, std::uint32_t y) const
    {
        return cells[static_cast<std::size_t>(y) * width + x];
    }
    /// The first column of the cells in column `x`, and for `width` the end of the area.
    [[nodiscard]] std::uint64_t columnOf(std::uint32_t x) const;
    /// The first row of the cells in row `y`, and for `height` the end of the area.
    [[nodiscard]] std::uint64_t rowOf(std::uint32_t y) const;
};

/// How large the whole tensor is in such a picture. Errors: those of decodableTensor,
/// TensorNoScales (names the type).
[[nodiscard]] Result<PictureArea> pictureSize(const gguf::GgufFile& file,
                                              const gguf::TensorInfo& tensor, PictureOf of);

/// Reads the rows of the area once, in constant memory beyond the cells. `tensor` has to be one of
/// `file`. Errors: those of decodableTensor, TensorNoScales, Cancelled, FileChanged.
[[nodiscard]] Result<TensorPicture> tensorPicture(const gguf::GgufFile& file,
                                                  const gguf::TensorInfo& tensor,
                                                  const PictureRequest& request,
                                                  const ScanControl& control = {});

} // namespace engine::eval
