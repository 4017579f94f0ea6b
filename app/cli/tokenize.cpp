// vitrine-cli tokenize: text to token ids.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"

namespace app::cli {

namespace {

using engine::text::TokenId;

void printTable(const engine::text::Tokenizer& tokenizer, const std::vector<TokenId>& ids)
{
    Table table({ { "id", Align::Right }, { "piece" } });
    for (const TokenId id : ids) {
        table.add({ std::to_string(id), inQuotes(tokenizer.piece(id)) });
    }
    print(table.text());
    message(countText(ids.size()) + " tokens");
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    const auto path = modelPath(arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    const auto tokenizer = openTokenizer(*path, { .pre = arguments.text("pre") });
    if (!tokenizer) {
        return tl::unexpected(tokenizer.error());
    }
    auto input = arguments.text("text") ? Outcome<std::string>(*arguments.text("text"))
                                        : readStandardInput();
    if (!input) {
        return tl::unexpected(input.error());
    }
    const auto ids = (*tokenizer)
                         ->encode(*input,
                                  { .addSpecial = !arguments.has("no-special"),
                                    .parseSpecial = arguments.has("parse-special") });
    if (!context.json) {
        printTable(**tokenizer, ids);
        return ExitStatus::Done;
    }
    Json pieces = Json::array();
    for (const TokenId id : ids) {
        pieces.push_back(toBase64((*tokenizer)->piece(id)));
    }
    printJson({ { "ids", ids }, { "pieces_b64", std::move(pieces) } });
    return ExitStatus::Done;
}

} // namespace

Command tokenizeCommand()
{
    return { .name = "tokenize",
             .summary = "text to token ids",
             .usage = "-m FILE [--text TEXT]",
             .details = "Without --text the text is read from standard input, byte for byte.\n"
                        "Works on a vocabulary alone, of any architecture.\n",
             .options = { modelOption(), text("text", "TEXT", "the text (else standard input)"),
                          flag("no-special", "add no BOS and no EOS"),
                          flag("parse-special", "read control tokens in the text"),
                          text("pre", "NAME", "use this pre-tokenizer, whatever the file says") },
             .run = run };
}

} // namespace app::cli
