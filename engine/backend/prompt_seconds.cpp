#include "engine/backend/prompt_seconds.h"

#include "engine/backend/op_graph.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace engine::backend {

namespace {

constexpr std::uint32_t kColumns = 2048;
constexpr std::uint32_t kRows = 2048;
constexpr std::size_t kTokens = 256;
constexpr int kRuns = 6; // the first one compiles
constexpr auto kMostTime = std::chrono::seconds(2); // of a slow device

OpGraph products()
{
    OpGraph graph;
    graph.options.activations = ActivationMode::Q8;
    graph.options.batchLength = kTokens;
    const auto in = graph.slot(kColumns, normalNumbers(kTokens * kColumns, 1));
    model::op::Linear op { in, {} };
    unsigned seed = 2;
    for (const auto type :
         { gguf::TensorType::Q4_K, gguf::TensorType::Q6_K, gguf::TensorType::Q8_0 }) {
        op.targets.push_back(
            { graph.randomBlocks(type, kColumns, kRows, seed++), nullptr, graph.slot(kRows) });
    }
    graph.show(op.targets.front().out);
    graph.add(op);
    return graph;
}

/// The best of some runs.
std::optional<double> secondsOf(const OpGraph& graph, const Backend& device,
                                const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    auto options = graph.options;
    options.contextLength = kTokens;
    auto runner = device.prepare(graph.graph, options);
    if (!runner) {
        return std::nullopt;
    }
    const auto tokens = ascendingTokens(kTokens);
    std::optional<double> best;
    const auto begin = Clock::now();
    for (int i = 0; i < kRuns && (i < 2 || Clock::now() - begin < kMostTime); ++i) {
        const auto start = Clock::now();
        if (!(*runner)->run({ tokens, 0, Outputs::None }, stop)) {
            return std::nullopt;
        }
        const std::chrono::duration<double> took = Clock::now() - start;
        if (i > 0) {
            best = std::min(best.value_or(took.count()), took.count());
        }
    }
    return best;
}

} // namespace

PromptTimer promptSeconds(std::stop_token stop)
{
    const auto graph = std::make_shared<const OpGraph>(products()); // one for all that are timed
    return [graph, stop = std::move(stop)](const Backend& device) {
        return secondsOf(*graph, device, stop);
    };
}

} // namespace engine::backend
