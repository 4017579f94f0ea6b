// How two files differ as Markdown, for a bug report. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/data_diff.h"
#include "engine/gguf/file_diff.h"

#include <span>
#include <string>

namespace app {

/// What differs, in plain English: both files in short, metadata, tensors; long tables are cut and
/// say so. `data`: of each of `tensors`, or empty where the weights were not compared.
[[nodiscard]] std::string diffReport(const engine::gguf::GgufFile& a,
                                     const engine::gguf::GgufFile& b,
                                     const engine::gguf::MetadataComparison& metadata,
                                     const engine::gguf::TensorComparison& tensors,
                                     std::span<const engine::eval::DataDiff> data);

} // namespace app
