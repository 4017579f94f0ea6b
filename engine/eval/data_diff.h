// Whether two tensors hold the same weights, byte for byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/eval/scan.h"
#include "engine/gguf/file_diff.h"

#include <cstdint>
#include <vector>

namespace engine::eval {

enum class DataState {
    Unknown, ///< not compared yet
    Same,
    Different,
    NotComparable, ///< shape, type or byte order differ, or the type is not known
    Missing, ///< a file does not hold all of the data
};

/// Blocks are those of the type: single numbers for F32 and its like.
struct DataDiff
{
    DataState state = DataState::Unknown;
    std::uint64_t blocks = 0; ///< that were compared
    std::uint64_t different = 0; ///< of these
    std::uint64_t first = 0; ///< number of the first that differs
};

/// The bytes that compareData will look at in each file.
[[nodiscard]] std::uint64_t comparableBytes(const gguf::GgufFile& a, const gguf::GgufFile& b,
                                            const gguf::TensorComparison& tensors);

/// The data of all tensors that both files have, one result for each of `tensors`. Reads the files
/// from begin to end where they are alike. Errors: Cancelled, FileChanged.
[[nodiscard]] Result<std::vector<DataDiff>> compareData(const gguf::GgufFile& a,
                                                        const gguf::GgufFile& b,
                                                        const gguf::TensorComparison& tensors,
                                                        const ScanControl& control = {});

} // namespace engine::eval
