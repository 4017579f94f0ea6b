// vitrine-cli logits: log-probabilities of the next token.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"
#include "app/cli/model_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace app::cli {

namespace {

/// log-softmax, summed in double so that large vocabularies lose nothing.
std::vector<float> logProbabilities(std::span<const float> logits)
{
    const float largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    const double logSum = std::log(sum) + largest;
    std::vector<float> out;
    out.reserve(logits.size());
    for (const float logit : logits) {
        out.push_back(static_cast<float>(logit - logSum));
    }
    return out;
}

/// One row of log-probabilities a position that was asked for.
Outcome<std::vector<std::vector<float>>> evaluate(const Context& context, Running& running,
                                                  std::span<const engine::text::TokenId> tokens)
{
    const std::string& path = running.model->file().path();
    std::vector<std::vector<float>> rows;
    if (!context.arguments.has("all")) {
        Progress progress("evaluating");
        const auto done = running.session->prefill(
            tokens, context.interrupt.token(), [&](std::size_t count, std::size_t total) {
                progress.update(static_cast<double>(count) / static_cast<double>(total));
            });
        if (!done) {
            return failed(done.error(), path);
        }
        rows.push_back(logProbabilities(running.session->logits()));
        return rows;
    }
    const auto all = running.session->logitsOfAll(tokens, context.interrupt.token());
    if (!all) {
        return failed(all.error(), path);
    }
    const std::size_t width = all->size() / tokens.size();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        rows.push_back(logProbabilities(std::span(*all).subspan(i * width, width)));
    }
    return rows;
}

void printTable(const Running& running, std::span<const engine::text::TokenId> tokens,
                const std::vector<std::vector<float>>& rows)
{
    constexpr std::size_t kShown = 10;
    const auto& tokenizer = running.model->tokenizer();
    Table table({ { "after", Align::Right },
                  { "id", Align::Right },
                  { "log-probability", Align::Right },
                  { "piece" } });
    const std::size_t shown = std::min(rows.size() == 1 ? kShown : 1, rows[0].size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<int> order(rows[row].size());
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
                          order.end(), [&](int a, int b) {
                              return rows[row][static_cast<std::size_t>(a)]
                                  > rows[row][static_cast<std::size_t>(b)];
                          });
        for (std::size_t i = 0; i < shown; ++i) {
            const int id = order[i];
            const bool named = tokenizer.vocabulary().valid(id);
            table.add({ countText(tokens.size() - rows.size() + row + 1), std::to_string(id),
                        decimalText(rows[row][static_cast<std::size_t>(id)], 4),
                        named ? inQuotes(tokenizer.piece(id)) : "" });
        }
    }
    print(table.text());
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto path = modelPath(context.arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    if (!context.arguments.has("tokens")) {
        return wrongUsage("token ids are needed: --tokens 1,2,3");
    }
    const auto tokens = parseTokens(*context.arguments.text("tokens"));
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    if (tokens->empty()) {
        return wrongUsage("--tokens needs one token id at least");
    }
    const auto options = sessionOptions(context.arguments, engine::session::CacheType::F32);
    if (!options) {
        return tl::unexpected(options.error());
    }
    auto running = loadModel(context, *path, *options);
    if (!running) {
        return tl::unexpected(running.error());
    }
    const auto rows = evaluate(context, *running, *tokens);
    tellFallback(*running);
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    if (!context.json) {
        printTable(*running, *tokens, *rows);
        return ExitStatus::Done;
    }
    Json values = Json::array();
    for (const auto& row : *rows) {
        values.push_back(floatsJson(row));
    }
    printJson({ { "vocab", rows->front().size() },
                { "logprobs", context.arguments.has("all") ? values : values[0] } });
    return ExitStatus::Done;
}

} // namespace

Command logitsCommand()
{
    return { .name = "logits",
             .summary = "log-probabilities of the next token",
             .usage = "-m FILE --tokens 1,2,3 [--all]",
             .details = "The cache is f32 here unless --cache-type says otherwise.\n",
             .options = joinedOptions(
                 { { modelOption(), text("tokens", "LIST", "token ids with commas between"),
                     flag("all", "after every token, not only after the last") },
                   runOptions() }),
             .run = run };
}

} // namespace app::cli
