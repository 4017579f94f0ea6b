// How fast matrix products run on a Vulkan device: bench_vulkan_linear [device] [type] [outputs]
// [columns] [rows] [float]. Weights come from 64 MB of copies, as cold as in a model. Prints the
// time of the first run (which makes the pipelines), of one product at the best, and what that is
// in bytes and weights. Activations may be rounded but with "float"; VITRINE_VULKAN_TILE is the
// shape of tiles (see tile_product.cpp). SPDX-License-Identifier: Apache-2.0
#include "engine/backend/devices.h"
#include "tests/support/random_blocks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <limits>
#include <numeric>
#include <string_view>

using namespace engine;

namespace {

double millisecondsOf(backend::Runner& runner, std::span<const text::TokenId> tokens)
{
    const auto start = std::chrono::steady_clock::now();
    if (const auto ran = runner.run({ tokens, 0, backend::Outputs::Last }, {}); !ran) {
        std::fprintf(stderr, "%s\n", englishSentence(ran.error()).c_str());
        std::exit(1);
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

void measure(const backend::Backend& device, gguf::TensorType type, std::size_t outputs,
             std::size_t columns, std::size_t rows, backend::ActivationMode activations)
{
    constexpr std::size_t mostBytes = std::size_t(64) << 20;
    const auto& info = gguf::tensorTypeInfo(type);
    const auto rowBytes = columns / info.blockSize * info.typeSize;
    const auto bytes = rowBytes * outputs;
    const auto count = std::clamp<std::size_t>(mostBytes / bytes, 1, 100);
    const auto weights = tests::randomBlocks(type, columns * outputs * count, 1);
    const auto table = tests::randomBlocks(gguf::TensorType::F16, columns * rows, 2);
    std::deque<model::Matrix> matrices { { gguf::TensorType::F16, columns, rows, columns * 2,
                                           table } };
    model::Graph graph;
    const auto in = graph.slot(static_cast<std::uint32_t>(columns));
    const auto out = graph.slot(static_cast<std::uint32_t>(outputs));
    graph.logits = graph.slot(static_cast<std::uint32_t>(outputs));
    graph.nodes.emplace_back(model::op::Embed { &matrices.front(), in });
    for (std::size_t i = 0; i < count; ++i) {
        matrices.push_back(
            { type, columns, outputs, rowBytes, std::span(weights).subspan(i * bytes, bytes) });
        graph.nodes.emplace_back(model::op::Linear { in, { { &matrices.back(), nullptr, out } } });
    }
    graph.nodes.emplace_back(model::op::KeepOutputs { out, graph.logits });
    const auto length = std::max(64U, static_cast<std::uint32_t>(rows));
    auto runner = device.prepare(graph,
                                 { .contextLength = length,
                                   .batchLength = length,
                                   .activations = activations,
                                   .stop = {},
                                   .progress = {} });
    if (!runner) {
        std::fprintf(stderr, "%s\n", englishSentence(runner.error()).c_str());
        std::exit(1);
    }
    std::vector<text::TokenId> tokens(rows);
    std::iota(tokens.begin(), tokens.end(), 0);
    const auto first = millisecondsOf(**runner, tokens);
    double best = std::numeric_limits<double>::max();
    double bestOfProcessor = best;
    for (int i = 0; i < 15; ++i) {
        const auto before = std::clock();
        best = std::min(best, millisecondsOf(**runner, tokens));
        bestOfProcessor =
            std::min(bestOfProcessor, double(std::clock() - before) / CLOCKS_PER_SEC * 1e6);
    }
    const double one = best / double(count) * 1e-3;
    std::printf("%-6s %6zu x %-5zu %3zu rows: first %5.0f ms, then %8.1f us, %6.2f GB/s, %6.2f G "
                "weights/s, %7.1f GFLOP/s, %8.1f us of processors\n",
                std::string(info.name).c_str(), outputs, columns, rows, first, one * 1e6,
                double(bytes) / one * 1e-9, double(outputs * columns) / one * 1e-9,
                2 * double(outputs * columns * rows) / one * 1e-9, bestOfProcessor / double(count));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    const auto argument = [&](int i, const char* otherwise) {
        return argc > i ? argv[i] : otherwise;
    };
    const auto number = [&](int i) { return std::strtoul(argument(i, "0"), nullptr, 10); };
    const auto device = backend::openDevice(static_cast<std::uint32_t>(number(1)));
    if (!device) {
        std::fprintf(stderr, "%s\n", englishSentence(device.error()).c_str());
        return 1;
    }
    std::printf("%s\n", (*device)->description().c_str());
    const auto type = gguf::tensorTypeByName(argument(2, "Q4_0"));
    if (!type) {
        std::fprintf(stderr, "no such type\n");
        return 1;
    }
    const auto activations = std::string_view(argument(6, "")) == "float"
        ? backend::ActivationMode::Float
        : backend::ActivationMode::Q8;
    if (argc > 4) {
        measure(**device, *type, number(3), number(4), std::max(number(5), 1UL), activations);
        return 0;
    }
    constexpr std::size_t shapes[][2] = {
        { 1536, 576 }, { 576, 1536 }, { 5632, 2048 }, { 49152, 576 }
    };
    for (const std::size_t rows : { 1U, 32U, 256U }) {
        for (const auto& shape : shapes) {
            measure(**device, *type, shape[0],
                    shape[1] / 256 * 256 == shape[1] || gguf::tensorTypeInfo(*type).blockSize < 256
                        ? shape[1]
                        : (shape[1] + 255) / 256 * 256,
                    rows, activations);
        }
    }
}
