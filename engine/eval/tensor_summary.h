// What is said of all weights of a tensor: its statistics with its histogram.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/tensor_histogram.h"
#include "engine/eval/tensor_statistics.h"

#include <cstddef>

namespace engine::eval {

inline constexpr std::size_t kSummaryBins = 64;
/// The histogram ends this many deviations from the mean where values lie further out: a few of
/// them would leave all others in one bin.
inline constexpr double kSummaryReach = 6;

struct TensorSummary
{
    TensorStatistics statistics;
    TensorHistogram histogram;
};

/// Two scans with one progress. Errors: those of tensorStatistics.
[[nodiscard]] Result<TensorSummary> tensorSummary(const gguf::GgufFile& file,
                                                  const gguf::TensorInfo& tensor,
                                                  const ScanControl& control = {});

} // namespace engine::eval
