// vitrine-cli inspect --tensor: statistics of one tensor, or bytes and values of its blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"
#include "engine/gguf/gguf_file.h"

namespace app::cli {

/// With `--row` or `--block` the blocks, else the statistics.
[[nodiscard]] Outcome<ExitStatus> inspectTensor(const Context& context,
                                                const engine::gguf::GgufFile& file);

} // namespace app::cli
