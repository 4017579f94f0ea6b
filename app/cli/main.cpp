// vitrine-cli: the engine without a window. Dispatch, help and exit status; each command is a file
// of its own. SPDX-License-Identifier: Apache-2.0
#include "app/cli/build_facts.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace {

using app::cli::Command;
using app::cli::ExitStatus;
using app::cli::Failure;

std::vector<Command> commands()
{
    using namespace app::cli;
    std::vector<Command> all { inspectCommand(),    checkCommand(),    tokenizeCommand(),
                               detokenizeCommand(), templateCommand(), logitsCommand(),
                               generateCommand(),   chatCommand(),     benchCommand(),
                               synthesizeCommand(), devicesCommand(),  selftestCommand() };
    for (auto& command : all) {
        command.options.push_back(flag("json", "results as JSON alone"));
        command.options.push_back(flag("help", "this help", 'h'));
    }
    return all;
}

std::string overview(const std::vector<Command>& all)
{
    std::size_t width = 0;
    for (const auto& command : all) {
        width = std::max(width, command.name.size());
    }
    std::string out = "Vitrine on the command line: chat with a GGUF model, look into its file, "
                      "measure it.\n\nusage: vitrine-cli COMMAND …\n\n";
    for (const auto& command : all) {
        out += "  " + std::string(command.name) + std::string(width - command.name.size() + 2, ' ')
            + std::string(command.summary) + "\n";
    }
    out +=
        "\nvitrine-cli COMMAND --help explains a command, vitrine-cli --version names this "
        "build.\nResults go to standard output, messages to standard error. Exit status: 0 done, "
        "1 failed, 2 wrong usage.\n";
    return out;
}

std::string commandHelp(const Command& command)
{
    std::string out = "vitrine-cli " + std::string(command.name) + ": "
        + std::string(command.summary) + "\n\nusage: vitrine-cli " + std::string(command.name);
    out += command.usage.empty() ? "" : " " + std::string(command.usage);
    out += command.options.size() > 2 ? " [options]\n" : " [--json]\n";
    out += command.details.empty() ? "" : "\n" + std::string(command.details);
    return out + "\n" + app::cli::optionHelp(command.options);
}

/// Prints the line of a failure, for wrong usage with the way to the help.
int report(const Failure& failure, std::string_view commandName)
{
    app::cli::message(failure.line);
    if (failure.status == ExitStatus::Usage) {
        app::cli::message("see vitrine-cli " + std::string(commandName)
                          + (commandName.empty() ? "--help" : " --help"));
    }
    return static_cast<int>(failure.status);
}

/// Results that could not be written are a failure like any other.
int finished(ExitStatus status)
{
    if (!app::cli::flushOutput()) {
        app::cli::message("standard output cannot be written. Check the free space.");
        return static_cast<int>(ExitStatus::Failed);
    }
    return static_cast<int>(status);
}

int runCommand(const Command& command, const std::vector<std::string>& words)
{
    // Asking for help wins over whatever else is wrong with the line.
    const auto end = std::find(words.begin(), words.end(), "--");
    if (std::find_if(words.begin(), end,
                     [](const auto& word) { return word == "--help" || word == "-h"; })
        != end) {
        app::cli::print(commandHelp(command));
        return finished(ExitStatus::Done);
    }
    const auto arguments = app::cli::Arguments::parse(command.options, words);
    if (!arguments) {
        return report(arguments.error(), command.name);
    }
    const auto count = arguments->positionals().size();
    if (count < command.leastPositionals) {
        return report({ ExitStatus::Usage,
                        "usage: " + std::string(command.name) + " " + std::string(command.usage) },
                      command.name);
    }
    if (count > command.mostPositionals) {
        return report({ ExitStatus::Usage,
                        "there is no place for \""
                            + arguments->positionals()[command.mostPositionals]
                            + "\" on this line" },
                      command.name);
    }
    app::cli::Interrupt interrupt;
    const app::cli::Context context { *arguments, interrupt, arguments->has("json") };
    const auto outcome = command.run(context);
    if (!outcome) {
        const int flushed = finished(ExitStatus::Failed);
        return std::max(flushed, report(outcome.error(), command.name));
    }
    return finished(*outcome);
}

int runLine(const std::vector<std::string>& words)
{
    const auto all = commands();
    if (words.empty()) {
        return report({ ExitStatus::Usage, "a command is needed" }, {});
    }
    const std::string& first = words[0];
    const auto find = [&](std::string_view name) {
        return std::find_if(all.begin(), all.end(),
                            [&](const Command& command) { return command.name == name; });
    };
    if (first == "--help" || first == "-h" || first == "help") {
        const auto about = words.size() > 1 ? find(words[1]) : all.end();
        app::cli::print(about == all.end() ? overview(all) : commandHelp(*about));
        return finished(ExitStatus::Done);
    }
    if (first == "--version") {
        app::cli::print(app::cli::versionText());
        return finished(ExitStatus::Done);
    }
    const auto command = find(first);
    if (command == all.end()) {
        std::vector<std::string_view> names;
        for (const auto& known : all) {
            names.push_back(known.name);
        }
        const auto meant = app::cli::nearestWord(first, names);
        return report({ ExitStatus::Usage,
                        "unknown command \"" + first + "\""
                            + (meant.empty() ? "" : "; did you mean " + std::string(meant) + "?") },
                      {});
    }
    return runCommand(*command, { words.begin() + 1, words.end() });
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return runLine({ argv + std::min(argc, 1), argv + argc });
    } catch (const std::exception& error) { // out of memory, mostly
        app::cli::message(std::string("stopped: ") + error.what()
                          + ". Try a smaller model or a shorter context.");
        return static_cast<int>(ExitStatus::Failed);
    }
}
