// How a command ends badly: an exit status and one line for standard error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <string>
#include <utility>

namespace app::cli {

/// Exit statuses of the contract (CLI.md).
enum class ExitStatus { Done = 0, Failed = 1, Usage = 2 };

/// Why a command stops. The line says what, where and what to do.
struct Failure
{
    ExitStatus status = ExitStatus::Failed;
    std::string line;
};

template <typename T>
using Outcome = tl::expected<T, Failure>;

/// The work failed. `file` is named where the engine did not know it.
[[nodiscard]] tl::unexpected<Failure> failed(const engine::Error& error,
                                             const std::string& file = {});
/// The work failed for a reason of the command line's own.
[[nodiscard]] tl::unexpected<Failure> failed(std::string line);
/// The command was called wrongly; a hint at its help is added when it is printed.
[[nodiscard]] tl::unexpected<Failure> wrongUsage(std::string line);

} // namespace app::cli
