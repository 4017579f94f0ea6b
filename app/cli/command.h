// A subcommand of vitrine-cli: name, option table, what it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

#include <limits>
#include <string_view>
#include <vector>

namespace app::cli {

class Interrupt;

/// What a running command gets.
struct Context
{
    const Arguments& arguments;
    Interrupt& interrupt; ///< Ctrl-C
    bool json = false; ///< results as JSON alone
};

/// One subcommand, declared in its own file. The run function gives the exit status or says why it
/// failed.
struct Command
{
    std::string_view name;
    std::string_view summary; ///< one line for the overview
    std::string_view usage; ///< what follows the name in the usage line
    std::string_view details; ///< further lines of the help
    std::vector<Option> options; ///< `--json` and `--help` are added for every command
    std::size_t leastPositionals = 0;
    std::size_t mostPositionals = 0;
    Outcome<ExitStatus> (*run)(const Context& context) = nullptr;
};

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

[[nodiscard]] Command inspectCommand();
[[nodiscard]] Command checkCommand();
[[nodiscard]] Command tokenizeCommand();
[[nodiscard]] Command detokenizeCommand();
[[nodiscard]] Command templateCommand();
[[nodiscard]] Command logitsCommand();
[[nodiscard]] Command generateCommand();
[[nodiscard]] Command chatCommand();
[[nodiscard]] Command benchCommand();
[[nodiscard]] Command synthesizeCommand();
[[nodiscard]] Command devicesCommand();
[[nodiscard]] Command selftestCommand();

} // namespace app::cli
