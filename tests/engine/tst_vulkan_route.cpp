// The choice of experts on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using Gating = model::op::Route::Gating;

namespace {

/// Logits of some rows; a few rows are all alike, or have ties among the best.
std::vector<float> logits(std::size_t rows, std::size_t experts, unsigned seed)
{
    auto numbers = randomFloats(rows * experts, seed, 2.0F);
    for (std::size_t row = 1; row < rows; row += 3) {
        for (std::size_t e = 0; e < experts; ++e) { // few different values
            auto& x = numbers[row * experts + e];
            x = std::round(x);
        }
    }
    if (rows > 2) {
        std::fill_n(numbers.begin() + std::ptrdiff_t(2 * experts), experts, 0.25F);
    }
    if (rows > 4) {
        for (std::size_t e = 0; e < experts; ++e) {
            numbers[4 * experts + e] *= 5e3F; // up to ±1e4
        }
    }
    return numbers;
}

} // namespace

class TestVulkanRoute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void route_data()
    {
        QTest::addColumn<unsigned>("experts");
        QTest::addColumn<unsigned>("used");
        QTest::addColumn<int>("gating");
        QTest::addColumn<unsigned>("groups");
        QTest::addColumn<unsigned>("groupsUsed");
        QTest::addColumn<int>("extras"); // 1: bias, 2: normalize, 4: scale, 8: expert scales
        const int softmax = int(Gating::Softmax);
        const int sigmoid = int(Gating::Sigmoid);
        const int chosen = int(Gating::SoftmaxOfChosen);
        QTest::newRow("softmax") << 64U << 8U << softmax << 1U << 1U << 0;
        QTest::newRow("softmax, normalized") << 128U << 8U << softmax << 1U << 1U << 2;
        QTest::newRow("sigmoid with bias") << 60U << 6U << sigmoid << 1U << 1U << 7;
        QTest::newRow("one of few") << 3U << 1U << sigmoid << 1U << 1U << 0;
        QTest::newRow("all") << 5U << 5U << softmax << 1U << 1U << 10;
        QTest::newRow("only one") << 1U << 1U << softmax << 1U << 1U << 0;
        QTest::newRow("of the chosen") << 32U << 4U << chosen << 1U << 1U << 0;
        QTest::newRow("of the chosen with bias") << 33U << 4U << chosen << 1U << 1U << 13;
        QTest::newRow("groups") << 64U << 6U << sigmoid << 8U << 4U << 7;
        QTest::newRow("groups, softmax") << 160U << 6U << softmax << 8U << 3U << 4;
        QTest::newRow("groups of one") << 8U << 3U << sigmoid << 8U << 4U << 1;
        QTest::newRow("too few groups") << 12U << 6U << softmax << 6U << 2U << 0;
        QTest::newRow("many") << 512U << 10U << softmax << 1U << 1U << 2;
    }
    void route()
    {
        QFETCH(unsigned, experts);
        QFETCH(unsigned, used);
        QFETCH(int, gating);
        QFETCH(unsigned, groups);
        QFETCH(unsigned, groupsUsed);
        QFETCH(int, extras);
        for (const std::size_t rows : { 1U, 9U, 70U }) {
            DeviceBench bench;
            const auto scores = bench.slot(experts, logits(rows, experts, experts));
            const auto out = bench.slot(2 * used);
            model::op::Route op { scores, out, used };
            op.gating = Gating(gating);
            op.groups = groups;
            op.groupsUsed = groupsUsed;
            op.bias = (extras & 1) != 0 ? bench.vector(randomFloats(experts, 2, 0.3F)) : nullptr;
            op.normalize = (extras & 2) != 0;
            op.scale = (extras & 4) != 0 ? 2.5F : 1.0F;
            op.expertScales = (extras & 8) != 0 ? bench.vector(randomFloats(experts, 3)) : nullptr;
            bench.add(op);
            bench.show(out);
            COMPARE_WITH_CPU(bench, rows, 3e-6);
        }
    }
};

QTEST_MAIN(TestVulkanRoute)
#include "tst_vulkan_route.moc"
