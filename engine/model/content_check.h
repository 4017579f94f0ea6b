// Contradictions between the keys of a file, and between its keys and its tensors, whatever the
// architecture. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <vector>

namespace engine::model {

/// Block count against the tensors' names, head counts, vocabulary sizes, keys of another
/// architecture, the file type against the tensors' types, chat templates that don't parse (with
/// the byte offset of the line). Warnings and notes only; what stops a model from running is told
/// by whoever runs it.
[[nodiscard]] std::vector<gguf::Problem> checkContent(const gguf::GgufFile& file);

} // namespace engine::model
