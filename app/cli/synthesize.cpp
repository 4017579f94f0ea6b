// vitrine-cli synthesize: a file of random weights to measure with.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/services/synthesis.h"

namespace app::cli {

namespace {

Outcome<ExitStatus> run(const Context& context)
{
    const auto& words = context.arguments.positionals();
    auto request = app::parseSynthesis(words[0]);
    if (!request) {
        return wrongUsage(engine::englishSentence(request.error()));
    }
    request->seed = static_cast<std::uint64_t>(context.arguments.integer("seed", 1));
    Progress progress("writing " + words[1]);
    const auto done = app::synthesize(*request, words[1], context.interrupt.token(),
                                      [&](double fraction) { progress.update(fraction); });
    progress.clear();
    if (!done) {
        return failed(done.error(), words[1]);
    }
    if (context.json) {
        printJson({ { "bytes", done->bytes }, { "bpw", done->bitsPerWeight } });
    } else {
        print(printable(words[1]) + ": " + sizeText(done->bytes) + " (" + countText(done->bytes)
              + " bytes), " + decimalText(done->bitsPerWeight, 2) + " bits/weight\n");
    }
    return ExitStatus::Done;
}

} // namespace

Command synthesizeCommand()
{
    return {
        .name = "synthesize",
        .summary = "a model file of random weights to measure with",
        .usage = "SHAPE:TYPE OUT.gguf",
        .details =
            "Shapes: 135M (30 layers, 576 wide), 1.1B (22, 2048), 3B (28, 3072), 8B (32, 4096); "
            "32,000 tokens.\nTypes: F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0. The same seed "
            "gives the same file everywhere.\n",
        .options = { integer("seed", "N", "of the random weights (1)", 0, 9e18) },
        .leastPositionals = 2,
        .mostPositionals = 2,
        .run = run
    };
}

} // namespace app::cli
