// A search for scales and weights that are NaN or infinite: one of them spoils every answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/gguf_file.h"
#include "engine/quant/block_layout.h"

#include <cstdint>
#include <optional>

namespace engine::eval {

/// What the search found in one tensor. It looks at the scales, minima and sums of blocks, and at
/// the numbers of plain floating types: nothing else can be NaN or infinite.
struct BadNumbers
{
    struct Place
    {
        std::uint64_t offset = 0; ///< of the number in the file
        std::uint64_t row = 0;
        std::uint64_t block = 0; ///< in the row
        quant::FieldKind kind = quant::FieldKind::Number; ///< or Scale, Min, Sum
    };

    std::uint64_t looked = 0; ///< numbers that were looked at
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    std::optional<Place> first; ///< the lowest offset
};

/// Looks at every block without decoding it. Errors: those of decodableTensor, Cancelled,
/// FileChanged.
[[nodiscard]] Result<BadNumbers> findBadNumbers(const gguf::GgufFile& file,
                                                const gguf::TensorInfo& tensor,
                                                const ScanControl& control = {});

} // namespace engine::eval
