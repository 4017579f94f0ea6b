// vitrine-cli generate: plain completion.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"
#include "app/cli/model_run.h"

namespace app::cli {

namespace {

using engine::text::TokenId;

Outcome<std::vector<TokenId>> promptTokens(const Arguments& arguments, const Running& running)
{
    if (const auto list = arguments.text("tokens")) {
        return parseTokens(*list);
    }
    return running.model->tokenizer().encode(*arguments.text("prompt"),
                                             { .addSpecial = !arguments.has("no-special"),
                                               .parseSpecial = arguments.has("parse-special") });
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    const auto path = modelPath(arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    if (arguments.has("prompt") == arguments.has("tokens")) {
        return wrongUsage("either -p TEXT or --tokens 1,2,3 is needed");
    }
    if (const auto list = arguments.text("tokens")) {
        if (const auto parsed = parseTokens(*list);
            !parsed) { // before the model is loaded for nothing
            return tl::unexpected(parsed.error());
        }
    }
    using engine::session::CacheType;
    const auto options =
        sessionOptions(arguments, arguments.has("tokens") ? CacheType::F32 : CacheType::F16);
    if (!options) {
        return tl::unexpected(options.error());
    }
    auto running = loadModel(context, *path, *options);
    if (!running) {
        return tl::unexpected(running.error());
    }
    const auto prompt = promptTokens(arguments, *running);
    if (!prompt) {
        return tl::unexpected(prompt.error());
    }
    if (prompt->empty()) {
        return failed("the prompt has no tokens; give it some text");
    }
    const auto generated = streamAnswer(context, *running, *prompt, generateOptions(arguments));
    if (!generated) {
        return tl::unexpected(generated.error());
    }
    if (context.json) {
        printJson(generatedJson(*generated, running->loadMs));
    } else {
        print("\n");
        message("load " + decimalText(running->loadMs, 1) + " ms, " + timingsText(*generated));
    }
    return ExitStatus::Done;
}

} // namespace

Command generateCommand()
{
    return { .name = "generate",
             .summary = "plain completion of a text or of token ids",
             .usage = "-m FILE (-p TEXT | --tokens 1,2,3) [-n N]",
             .details =
                 "The text goes on as the model sees fit, without a chat template. With --tokens "
                 "the cache is\nf32 unless --cache-type says otherwise. Ctrl-C ends it with "
                 "finish \"cancelled\".\n",
             .options = joinedOptions(
                 { { modelOption(), text("prompt", "TEXT", "the text to go on with", 'p'),
                     text("tokens", "LIST", "token ids instead, taken as they are"),
                     flag("no-special", "put no BOS before the text"),
                     flag("parse-special", "read control tokens in the text") },
                   samplingOptions(),
                   runOptions() }),
             .run = run };
}

} // namespace app::cli
