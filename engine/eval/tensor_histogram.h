// How the values of a tensor are spread over a range.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <vector>

namespace engine::eval {

/// Bins of equal width from `low` to `high`; each has its lower edge, the last one `high` too.
/// Values that are NaN or infinite are counted nowhere.
struct TensorHistogram
{
    float low = 0;
    float high = 0;
    std::vector<std::uint64_t> counts; ///< one bin where low = high
    std::uint64_t below = 0; ///< finite values under `low`
    std::uint64_t above = 0; ///< finite values over `high`
};

/// A scan in constant memory. The range is the caller's, such as `min` and `max` of
/// tensorStatistics, or fewer deviations around the mean where single values lie far out. `low` has
/// to be finite and at most `high`, `bins` at least 1. Errors: those of decodableTensor, Cancelled,
/// FileChanged.
[[nodiscard]] Result<TensorHistogram> tensorHistogram(const gguf::GgufFile& file,
                                                      const gguf::TensorInfo& tensor, float low,
                                                      float high, std::size_t bins = 64,
                                                      const ScanControl& control = {});

} // namespace engine::eval
