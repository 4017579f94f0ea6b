// vitrine-cli bench: prefill and decode speed.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_model.h"
#include "app/cli/bench_profile.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/model_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace app::cli {

namespace {

using engine::session::Session;
using engine::text::TokenId;

struct Measured
{
    std::string test; ///< "pp256", "tg64"
    double median = 0; ///< tokens/s, as are the next
    double least = 0;
    double most = 0;
    BenchProfile profile; ///< empty without --profile
};

struct Plan
{
    std::size_t prompt;
    std::size_t generated;
    std::size_t depth;
    int rounds;
};

std::uint64_t peakResidentBytes()
{
    rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Ids that jump about the vocabulary, the same in each run; embedding rows are then not all in the
/// cache already.
std::vector<TokenId> someTokens(std::size_t count, std::uint32_t vocabularySize)
{
    std::vector<TokenId> out;
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        out.push_back(static_cast<TokenId>((state >> 8) % vocabularySize));
    }
    return out;
}

/// Measures on one session.
class Bench
{
public:
    Bench(const Context& context, Running& running, const Plan& plan)
        : m_context(context)
        , m_session(*running.session)
        , m_path(running.model->file().path())
        , m_plan(plan)
        , m_tokens(someTokens(plan.depth + std::max(plan.prompt, plan.generated),
                              running.model->hparams().vocabularySize))
    {
    }

    Outcome<std::vector<Measured>> run()
    {
        std::vector<Measured> out;
        const auto add = [&](const std::string& test, std::size_t tokens,
                             const std::function<engine::Result<void>()>& work) -> Outcome<void> {
            auto measured = measure(test, tokens, work);
            if (!measured) {
                return tl::unexpected(measured.error());
            }
            out.push_back(std::move(*measured));
            return {};
        };
        if (m_plan.prompt > 0) {
            auto done = add("pp" + std::to_string(m_plan.prompt), m_plan.prompt,
                            [this] { return prefill(m_plan.depth + m_plan.prompt); });
            if (!done) {
                return tl::unexpected(done.error());
            }
        }
        if (m_plan.generated > 0) {
            auto done = add("tg" + std::to_string(m_plan.generated), m_plan.generated,
                            [this] { return decode(); });
            if (!done) {
                return tl::unexpected(done.error());
            }
        }
        return out;
    }

private:
    engine::Result<void> prefill(std::size_t length)
    {
        auto done =
            m_session.prefill(std::span(m_tokens).first(length), m_context.interrupt.token());
        return done ? engine::Result<void>() : tl::make_unexpected(done.error());
    }

    engine::Result<void> decode()
    {
        for (std::size_t i = 0; i < m_plan.generated; ++i) {
            auto done = m_session.append(m_tokens[m_plan.depth + i], m_context.interrupt.token());
            if (!done) {
                return done;
            }
        }
        return {};
    }

    /// Back to `depth` tokens of context, outside the clock.
    engine::Result<void> rewind()
    {
        m_session.truncate(m_plan.depth);
        if (m_plan.depth == 0 || m_session.tokens().size() == m_plan.depth) {
            return {};
        }
        return prefill(m_plan.depth);
    }

    Outcome<Measured> measure(const std::string& test, std::size_t tokens,
                              const std::function<engine::Result<void>()>& work)
    {
        Progress progress(test);
        const bool profiled = m_context.arguments.has("profile");
        BenchProfile profile;
        std::vector<double> speeds;
        for (int round = 0; round <= m_plan.rounds; ++round) { // the first one warms up
            progress.update(static_cast<double>(round) / (m_plan.rounds + 1));
            auto done = rewind();
            if (profiled) {
                m_session.startProfile();
            }
            const auto start = std::chrono::steady_clock::now();
            if (done) {
                done = work();
            }
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            if (!done) {
                return failed(done.error(), m_path);
            }
            if (round > 0) {
                speeds.push_back(static_cast<double>(tokens) / taken.count());
                profile.add(m_session.profile());
            }
        }
        std::sort(speeds.begin(), speeds.end());
        const std::size_t middle = speeds.size() / 2;
        const double median =
            speeds.size() % 2 == 1 ? speeds[middle] : (speeds[middle - 1] + speeds[middle]) / 2;
        return Measured { test, median, speeds.front(), speeds.back(), std::move(profile) };
    }

    const Context& m_context;
    Session& m_session;
    std::string m_path;
    Plan m_plan;
    std::vector<TokenId> m_tokens;
};

/// A name in one CSV cell.
std::string csvCell(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return out + "\"";
}

void printResults(const Context& context, const Running& running, const Plan& plan,
                  const std::vector<Measured>& results)
{
    const std::string model = running.model->displayName();
    const std::string type = running.model->typeName();
    const std::string device = running.deviceNow();
    const int threads = running.session->threads();
    const std::uint64_t peak = peakResidentBytes();
    if (context.json) {
        Json rows = Json::array();
        for (const auto& row : results) {
            rows.push_back({ { "model", model },
                             { "type", type },
                             { "device", device },
                             { "threads", threads },
                             { "depth", plan.depth },
                             { "test", row.test },
                             { "median", row.median },
                             { "min", row.least },
                             { "max", row.most },
                             { "peak_rss", peak } });
            if (!row.profile.empty()) {
                rows.back()["ops"] = row.profile.json();
            }
        }
        printJson(rows);
        return;
    }
    if (context.arguments.has("csv")) {
        print("model,type,device,threads,depth,test,median,min,max,peak_rss\n");
        for (const auto& row : results) {
            print(csvCell(model) + "," + type + "," + device + "," + std::to_string(threads) + ","
                  + std::to_string(plan.depth) + "," + row.test + "," + decimalText(row.median, 3)
                  + "," + decimalText(row.least, 3) + "," + decimalText(row.most, 3) + ","
                  + std::to_string(peak) + "\n");
        }
        if (context.arguments.has("profile")) {
            print("\ntest,op,calls,ms,share\n");
        }
        for (const auto& row : results) {
            print(row.profile.csvText(row.test));
        }
        return;
    }
    Table table({ { "test" },
                  { "tokens/s", Align::Right },
                  { "min", Align::Right },
                  { "max", Align::Right },
                  { "depth", Align::Right } });
    for (const auto& row : results) {
        table.add({ row.test, decimalText(row.median, 2), decimalText(row.least, 2),
                    decimalText(row.most, 2), countText(plan.depth) });
    }
    print(printable(model) + ", " + type + ", " + device + " ("
          + printable(running.session->deviceName()) + ")"
          + (threads > 0 ? ", " + std::to_string(threads) + " threads" : "") + ", peak memory "
          + sizeText(peak) + "\n" + table.text());
    for (const auto& row : results) {
        if (!row.profile.empty()) {
            print("\n" + row.test + " by op, all rounds\n" + row.profile.tableText());
        }
    }
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    if (context.json && arguments.has("csv")) {
        return wrongUsage("--json and --csv exclude each other");
    }
    const Plan plan { static_cast<std::size_t>(arguments.integer("prompt-tokens", 256)),
                      static_cast<std::size_t>(arguments.integer("new-tokens", 64)),
                      static_cast<std::size_t>(arguments.integer("depth", 0)),
                      static_cast<int>(arguments.integer("rounds", 5)) };
    if (plan.prompt == 0 && plan.generated == 0) {
        return wrongUsage("there is nothing to measure: give -p or -n more than 0 tokens");
    }
    auto options = sessionOptions(arguments, engine::session::CacheType::F16);
    if (!options) {
        return tl::unexpected(options.error());
    }
    if (!arguments.has("ctx")) {
        options->contextLength =
            static_cast<std::uint32_t>(plan.depth + std::max(plan.prompt, plan.generated));
    }
    auto file = BenchModel::open(context);
    if (!file) {
        return tl::unexpected(file.error());
    }
    auto running = loadModel(context, file->path(), *options);
    if (!running) {
        return tl::unexpected(running.error());
    }
    file->release();
    const auto results = Bench(context, *running, plan).run();
    tellFallback(*running);
    if (!results) {
        return tl::unexpected(results.error());
    }
    printResults(context, *running, plan, *results);
    return ExitStatus::Done;
}

} // namespace

Command benchCommand()
{
    constexpr double kMost = 1 << 24;
    return {
        .name = "bench",
        .summary = "prefill and decode speed",
        .usage = "(-m FILE | --synthetic SHAPE:TYPE)",
        .details =
            "Tests: pp<N> reads a prompt of N tokens in one go, tg<N> adds N tokens one by one, "
            "each\n"
            "after -d tokens of context. One round warms up; median, least and most of the others\n"
            "in tokens/s. 0 leaves a test out.\n",
        .options = joinedOptions(
            { { text("model", "FILE", "the model, a GGUF file", 'm'),
                text("synthetic", "SHAPE:TYPE",
                     "random weights instead, such as 1.1B:Q4_0 (see synthesize)"),
                integer("prompt-tokens", "N", "tokens of the prompt (256)", 0, kMost, 'p'),
                integer("new-tokens", "N", "tokens added one by one (64)", 0, kMost, 'n'),
                integer("depth", "N", "tokens in the context before (0)", 0, kMost, 'd'),
                integer("rounds", "N", "measured rounds (5)", 1, 10000, 'r'),
                flag("csv", "comma-separated values"),
                flag("profile", "also where the time went, by kind of op") },
              runOptions() }),
        .run = run
    };
}

} // namespace app::cli
