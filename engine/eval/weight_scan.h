// A search through all weights of a file for numbers that are NaN or infinite.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <vector>

namespace engine::eval {

struct WeightScan
{
    std::uint64_t tensors = 0; ///< read
    std::uint64_t unread = 0; ///< of types without a codec, or whose data is not all there
    std::uint64_t bytes = 0; ///< of the tensors that were read
    /// An error for each tensor with bad numbers, at the first of them (at most a few hundred are
    /// told), and a note for each type that cannot be read.
    std::vector<gguf::Problem> problems;
};

/// What scanWeights would read. Takes time by the number of tensors.
[[nodiscard]] std::uint64_t scannableBytes(const gguf::GgufFile& file);

/// Takes as long as reading the file takes; the progress goes by bytes. Errors: Cancelled,
/// FileChanged.
[[nodiscard]] Result<WeightScan> scanWeights(const gguf::GgufFile& file,
                                             const ScanControl& control = {});

} // namespace engine::eval
