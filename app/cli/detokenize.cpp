// vitrine-cli detokenize: token ids to text.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"

namespace app::cli {

namespace {

using engine::text::DetokenizeMode;

DetokenizeMode mode(const Arguments& arguments)
{
    const auto name = arguments.text("mode").value_or("text");
    if (name == "no-special") {
        return DetokenizeMode::NoSpecial;
    }
    return name == "clean" ? DetokenizeMode::Clean : DetokenizeMode::Text;
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    const auto path = modelPath(arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    if (!arguments.has("ids")) {
        return wrongUsage("token ids are needed: --ids 1,2,3");
    }
    const auto ids = parseTokens(*arguments.text("ids"));
    if (!ids) {
        return tl::unexpected(ids.error());
    }
    const auto tokenizer = openTokenizer(*path);
    if (!tokenizer) {
        return tl::unexpected(tokenizer.error());
    }
    const auto& vocabulary = (*tokenizer)->vocabulary();
    for (const auto id : *ids) {
        if (!vocabulary.valid(id)) {
            return failed(*path + ": there is no token " + std::to_string(id)
                          + "; the vocabulary goes from 0 to "
                          + std::to_string(vocabulary.size() - 1) + ".");
        }
    }
    const std::string bytes = (*tokenizer)->detokenize(*ids, mode(arguments));
    if (context.json) {
        printJson(
            { { "text_b64", toBase64(bytes) }, { "text", isUtf8(bytes) ? Json(bytes) : Json() } });
    } else {
        print(outputIsTerminal() ? terminalSafe(bytes) + "\n" : bytes);
    }
    return ExitStatus::Done;
}

} // namespace

Command detokenizeCommand()
{
    return { .name = "detokenize",
             .summary = "token ids to text",
             .usage = "-m FILE --ids 1,2,3 [--mode MODE]",
             .details =
                 "Modes: text (pieces joined, special tokens shown), no-special (control "
                 "tokens left out),\nclean (as one text: no BOS and EOS, no space in front).\n",
             .options = { modelOption(), text("ids", "LIST", "token ids with commas between"),
                          choice("mode", "text|no-special|clean", "form of the text (text)") },
             .run = run };
}

} // namespace app::cli
