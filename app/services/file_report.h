// A report on a GGUF file in Markdown, to be attached to a bug report. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/splits.h"

#include <span>
#include <string>

namespace app {

/// Sections: the file (and its parts), metadata with long values cut, tensors by type with bits per
/// weight, the size of the KV cache, problems (model::diagnose gives them). English. Names files
/// without their folders. Text out of the file stands in code spans: it can neither break the
/// tables nor become markup. Valid UTF-8.
[[nodiscard]] std::string fileReport(const engine::gguf::SplitFile& set,
                                     std::span<const engine::gguf::Problem> problems);

} // namespace app
