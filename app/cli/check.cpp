// vitrine-cli check: the doctor.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/tensor_json.h"
#include "engine/model/verdict.h"

#include <filesystem>

namespace app::cli {

namespace {

using engine::model::Verdict;

Json verdictJson(const std::string& path, const Verdict& verdict)
{
    Json problems = Json::array();
    for (const auto& problem : verdict.problems) {
        problems.push_back(problemJson(problem, path));
    }
    return { { "file", path },
             { "opens", verdict.opens },
             { "loads", verdict.loads },
             { "runs", verdict.runs },
             { "problems", std::move(problems) } };
}

std::string verdictText(const std::string& path, const Verdict& verdict)
{
    std::string out = printable(path) + ": ";
    if (!verdict.opens) {
        out += "cannot be opened";
    } else if (!verdict.loads) {
        out += "opens, but is damaged";
    } else if (!verdict.runs) {
        out += "sound, but does not run";
    } else {
        out += "sound, runs";
    }
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    return out + "\n" + problemTable(verdict.problems, path, ignored ? 0 : size);
}

Outcome<ExitStatus> run(const Context& context)
{
    Json all = Json::array();
    bool allLoad = true;
    for (const auto& path : context.arguments.positionals()) {
        if (context.interrupt.requested()) {
            return failed("stopped before " + path);
        }
        const auto verdict = engine::model::examine(path);
        allLoad = allLoad && verdict.loads;
        if (context.json) {
            all.push_back(verdictJson(path, verdict));
        } else {
            print(verdictText(path, verdict));
        }
    }
    if (context.json) {
        printJson(all);
    }
    return allLoad ? ExitStatus::Done : ExitStatus::Failed;
}

} // namespace

Command checkCommand()
{
    return { .name = "check",
             .summary = "whether files open, are sound, and run; what is wrong where",
             .usage = "FILE…",
             .details =
                 "The exit status is 0 where every file is sound (container and metadata), else "
                 "1.\nA note says why a sound file does not run in this version.\nA part of a "
                 "split model "
                 "is checked together with its other parts.\n",
             .leastPositionals = 1,
             .mostPositionals = kAnyNumber,
             .run = run };
}

} // namespace app::cli
