// vitrine-cli check: the doctor.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/tensor_json.h"
#include "engine/eval/weight_scan.h"
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

/// What --weights adds: reads the weights of each part, with a progress line.
class WeightReader
{
public:
    explicit WeightReader(const Interrupt& interrupt)
        : m_interrupt(interrupt)
    {
    }

    void read(const engine::gguf::GgufFile& file, std::vector<engine::gguf::Problem>& problems)
    {
        Progress line("reading " + printable(file.path()));
        engine::eval::ScanProgress progress([&line](double fraction) { line.update(fraction); });
        auto scan = engine::eval::scanWeights(file, { m_interrupt.token(), &progress });
        if (!scan) {
            problems.push_back({ engine::gguf::Severity::Error, std::move(scan.error()) });
            return;
        }
        m_tensors += scan->tensors;
        m_bytes += scan->bytes;
        problems.insert(problems.end(), scan->problems.begin(), scan->problems.end());
    }

    [[nodiscard]] std::string text() const
    {
        return "weights read: " + sizeText(m_bytes) + " in " + countText(m_tensors)
            + (m_tensors == 1 ? " tensor\n" : " tensors\n");
    }

private:
    const Interrupt& m_interrupt;
    std::uint64_t m_tensors = 0;
    std::uint64_t m_bytes = 0;
};

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
    const bool readsWeights = context.arguments.has("weights");
    for (const auto& path : context.arguments.positionals()) {
        if (context.interrupt.requested()) {
            return failed("stopped before " + path);
        }
        WeightReader reader(context.interrupt);
        engine::model::DiagnoseOptions options;
        if (readsWeights) {
            options.scan = [&reader](const auto& file, auto& problems) {
                reader.read(file, problems);
            };
        }
        const auto verdict = engine::model::examine(path, options);
        if (readsWeights && context.interrupt.requested()) {
            return failed("stopped while reading " + path);
        }
        allLoad = allLoad && verdict.loads;
        if (context.json) {
            all.push_back(verdictJson(path, verdict));
        } else {
            print(verdictText(path, verdict));
            if (readsWeights) {
                print(reader.text());
            }
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
    return {
        .name = "check",
        .summary = "whether files open, are sound, and run; what is wrong where",
        .usage = "FILE…",
        .details =
            "The exit status is 0 where every file is sound (container and metadata), else "
            "1.\nA note says why a sound file does not run in this version.\nA part of a "
            "split model "
            "is checked together with its other parts.\n"
            "--weights takes as long as reading the files takes; bad numbers count as damage.\n",
        .options = { flag("weights",
                          "reads all weights of sound files too: NaN and infinite numbers") },
        .leastPositionals = 1,
        .mostPositionals = kAnyNumber,
        .run = run
    };
}

} // namespace app::cli
