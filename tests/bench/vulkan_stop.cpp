// Measures how long a prefill on a Vulkan device goes on after it was told to stop.
// usage: bench_vulkan_stop DEVICE MODEL.gguf [TOKENS] [ROUNDS]
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/devices.h"
#include "engine/session/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace engine;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_vulkan_stop DEVICE MODEL.gguf [TOKENS] [ROUNDS]\n");
        return 2;
    }
    const int count = argc > 3 ? std::atoi(argv[3]) : 512;
    const int rounds = argc > 4 ? std::atoi(argv[4]) : 15;
    const auto device = backend::openDevice(static_cast<std::uint32_t>(std::atoi(argv[1])));
    const auto model = model::Model::load(argv[2]);
    if (!device || !model) {
        std::fprintf(stderr, "no such device or model\n");
        return 1;
    }
    session::SessionOptions options;
    options.contextLength = static_cast<std::uint32_t>(std::max(2048, count));
    options.device = *device;
    const auto session = session::Session::create(*model, options);
    if (!session) {
        std::fprintf(stderr, "%s\n", englishSentence(session.error()).c_str());
        return 1;
    }
    std::vector<text::TokenId> tokens;
    const auto fill = [&](int seed) {
        tokens.clear();
        for (int i = 0; i < count; ++i) {
            tokens.push_back(100 + (i * 7 + seed * 131) % 20000);
        }
    };
    fill(0);
    (void)(*session)->prefill(tokens); // pipelines are made
    fill(1);
    const auto begin = Clock::now();
    (void)(*session)->prefill(tokens);
    const double whole = Seconds(Clock::now() - begin).count();
    std::vector<double> waits;
    for (int round = 0; round < rounds; ++round) {
        fill(2 + round);
        std::stop_source stop;
        Clock::time_point asked;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(Seconds(whole * (0.1 + 0.8 * round / rounds)));
            asked = Clock::now();
            stop.request_stop();
        });
        const auto ran = (*session)->prefill(tokens, stop.get_token());
        const auto ended = Clock::now();
        stopper.join();
        if (!ran) {
            waits.push_back(1e3 * Seconds(ended - asked).count());
        }
    }
    std::ranges::sort(waits);
    if (waits.empty()) {
        std::fprintf(stderr, "it was never stopped\n");
        return 1;
    }
    std::printf("%d tokens take %.2f s; stopped %zu times, ms: median %.1f, worst %.1f\n", count,
                whole, waits.size(), waits[waits.size() / 2], waits.back());
    return 0;
}
