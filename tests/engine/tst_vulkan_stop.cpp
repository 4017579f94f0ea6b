// A long prefill on a Vulkan device ends soon after it is told to.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

#include <chrono>
#include <numeric>
#include <thread>

using namespace engine;
using namespace tests;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

namespace {

constexpr std::uint32_t kWidth = 1024;
constexpr std::uint32_t kTokens = 256;
constexpr int kBlocks = 8;

/// Norms, products and attention, a few blocks of a model's usual kind.
void fillBlocks(DeviceBench& bench)
{
    constexpr std::uint32_t heads = 8;
    const auto matrix = [&](std::uint32_t columns, std::uint32_t rows) {
        return bench.randomMatrix(gguf::TensorType::Q8_0, columns, rows, 5);
    };
    bench.graph.kv = model::uniformKv(kBlocks, { heads, kWidth / heads, kWidth / heads });
    const auto stream = bench.slot(kWidth, randomFloats(std::size_t(kTokens) * kWidth, 1));
    const auto normed = bench.slot(kWidth);
    const auto other = bench.slot(kWidth);
    const auto wide = bench.slot(4 * kWidth);
    const auto* square = matrix(kWidth, kWidth);
    const auto* up = matrix(kWidth, 4 * kWidth);
    const auto* down = matrix(4 * kWidth, kWidth);
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
        bench.add(model::op::RmsNorm { stream, nullptr, 1e-5F, normed });
        bench.add(model::op::StoreKv { block, normed, normed });
        bench.add(model::op::Attention { block, normed, other, heads, 0.1F });
        bench.add(model::op::Linear { other, { { square, nullptr, normed } } });
        bench.add(model::op::Linear { normed, { { up, nullptr, wide } } });
        bench.add(model::op::Activate { wide, model::Activation::Silu });
        bench.add(model::op::Linear { wide, { { down, nullptr, other } } });
        bench.add(model::op::Add { stream, other });
    }
    const auto last = bench.slot(kWidth);
    bench.add(model::op::KeepOutputs { stream, last });
    bench.show(last);
}

} // namespace

class TestVulkanStop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    /// Of a run of seconds no more than a small part is waited for, wherever it is; and the runner
    /// is as good as before.
    void stopsSoon()
    {
        DeviceBench bench;
        fillBlocks(bench);
        auto options = bench.options;
        options.contextLength = kTokens;
        auto runner = testDevice()->prepare(bench.graph, options);
        QVERIFY(runner);
        std::vector<text::TokenId> tokens(kTokens);
        std::iota(tokens.begin(), tokens.end(), 0);
        const backend::Batch batch { tokens, 0, backend::Outputs::Last };
        const backend::Batch chunk { std::span(tokens).first(64), 0, backend::Outputs::Last };
        QVERIFY((*runner)->run(chunk, {})); // pipelines are made
        const auto expected =
            std::vector<float>((*runner)->logits().begin(), (*runner)->logits().end());
        const auto begin = Clock::now();
        QVERIFY((*runner)->run(batch, {}));
        const double whole = Seconds(Clock::now() - begin).count();

        double least = whole;
        for (const double part : { 0.05, 0.3, 0.55 }) {
            std::stop_source stop;
            Clock::time_point asked;
            std::jthread stopper([&] {
                std::this_thread::sleep_for(Seconds(whole * part));
                asked = Clock::now();
                stop.request_stop();
            });
            const auto ran = (*runner)->run(batch, stop.get_token());
            const auto ended = Clock::now();
            stopper.join();
            QVERIFY(!ran && ran.error().code == ErrorCode::Cancelled);
            least = std::min(least, Seconds(ended - asked).count());
        }
        // the least of three: other programs may take the processor away at times
        QVERIFY2(least <= whole / 8, qPrintable(QString("%1 s of %2 s").arg(least).arg(whole)));
        QVERIFY((*runner)->run(chunk, {}));
        QVERIFY(std::ranges::equal((*runner)->logits(), expected));
    }
};

QTEST_GUILESS_MAIN(TestVulkanStop)
#include "tst_vulkan_stop.moc"
