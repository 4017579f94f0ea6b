// Statistics of one tensor: range, mean, spread, and how many values are zero, NaN or infinite.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>

namespace engine::eval {

/// Of all decoded values of a tensor. `min` to `standardDeviation` are those of the finite values,
/// and 0 without any.
struct TensorStatistics
{
    std::uint64_t elements = 0;
    std::uint64_t zeros = 0; ///< of either sign
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0; ///< of either sign
    float min = 0;
    float max = 0;
    double mean = 0;
    double standardDeviation = 0; ///< of the population (divided by the count)

    [[nodiscard]] std::uint64_t finite() const { return elements - nans - infinities; }
};

/// Decodes the tensor piece by piece (constant memory) and gathers its statistics. `tensor` has to
/// be one of `file`. Errors: those of decodableTensor, Cancelled, FileChanged.
[[nodiscard]] Result<TensorStatistics> tensorStatistics(const gguf::GgufFile& file,
                                                        const gguf::TensorInfo& tensor,
                                                        const ScanControl& control = {});

} // namespace engine::eval
