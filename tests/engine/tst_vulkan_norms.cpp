// Norms and sums on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;

namespace {

/// Rows of ordinary numbers, one of zeros and one far out.
std::vector<float> inputs(std::size_t rows, std::size_t width, unsigned seed)
{
    auto numbers = randomFloats(rows * width, seed, 2.0F);
    if (rows > 2) {
        std::fill_n(numbers.begin() + std::ptrdiff_t(width), width, 0.0F);
        for (std::size_t i = 0; i < width; ++i) {
            numbers[2 * width + i] = i % 2 == 0 ? 1e4F : -1e4F;
        }
    }
    return numbers;
}

void shapes()
{
    QTest::addColumn<unsigned>("width");
    QTest::addColumn<unsigned>("pieces");
    QTest::addColumn<unsigned>("rows");
    QTest::addColumn<int>("weights"); // 0 none, 1 of a piece, 2 of the row
    QTest::newRow("row") << 576U << 1U << 7U << 1;
    QTest::newRow("one number") << 1U << 1U << 5U << 1;
    QTest::newRow("three") << 3U << 1U << 5U << 0;
    QTest::newRow("odd row") << 577U << 1U << 5U << 1;
    QTest::newRow("odd pieces") << 21U << 3U << 7U << 1;
    QTest::newRow("odd pieces, odd weights") << 21U << 3U << 1U << 2;
    QTest::newRow("heads") << 256U << 4U << 70U << 2;
    QTest::newRow("short heads") << 32U << 8U << 5U << 2;
    QTest::newRow("none") << 40U << 2U << 7U << 0;
}

} // namespace

class TestVulkanNorms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void add()
    {
        for (const std::uint32_t width : { 1U, 3U, 64U, 577U }) {
            DeviceBench bench;
            const auto into = bench.slot(width, randomFloats(5 * width, 1));
            const auto from = bench.slot(width, randomFloats(5 * width, 2));
            bench.add(model::op::Add { into, from });
            bench.show(into);
            COMPARE_WITH_CPU(bench, 5, 0.0);
        }
    }

    void rmsNorm_data() { shapes(); }
    void rmsNorm()
    {
        QFETCH(unsigned, width);
        QFETCH(unsigned, pieces);
        QFETCH(unsigned, rows);
        QFETCH(int, weights);
        DeviceBench bench;
        const auto in = bench.slot(width, inputs(rows, width, 3));
        const auto out = bench.slot(width);
        const auto* weight = weights == 0
            ? nullptr
            : bench.vector(randomFloats(weights == 1 ? width / pieces : width, 4));
        bench.add(model::op::RmsNorm { in, weight, 1e-5F, out, pieces });
        bench.show(out);
        COMPARE_WITH_CPU(bench, rows, 2e-6);
        bench.add(model::op::RmsNorm { in, weight, 1e-5F, in, pieces });
        bench.show(in);
        COMPARE_WITH_CPU(bench, rows, 2e-6);
    }

    void layerNorm_data() { shapes(); }
    void layerNorm()
    {
        QFETCH(unsigned, width);
        QFETCH(unsigned, pieces);
        QFETCH(unsigned, rows);
        QFETCH(int, weights);
        DeviceBench bench;
        const auto in = bench.slot(width, inputs(rows, width, 5));
        const auto out = bench.slot(width);
        const auto vector = [&](unsigned seed) {
            return weights == 0
                ? nullptr
                : bench.vector(randomFloats(weights == 1 ? width / pieces : width, seed));
        };
        const auto* weight = vector(6);
        bench.add(model::op::LayerNorm { in, weight, vector(7), 1e-5F, out, pieces });
        bench.show(out);
        COMPARE_WITH_CPU(bench, rows, 4e-6);
        bench.add(model::op::LayerNorm { in, weight, nullptr, 1e-5F, in, pieces });
        bench.show(in);
        COMPARE_WITH_CPU(bench, rows, 4e-6);
    }

    /// A mean far from 0 does not drown the variance.
    void layerNormOffset()
    {
        auto numbers = randomFloats(std::size_t(3) * 577, 8);
        for (auto& x : numbers) {
            x += 300.0F;
        }
        DeviceBench bench;
        const auto in = bench.slot(577, numbers);
        bench.add(model::op::LayerNorm { in, nullptr, nullptr, 1e-5F, in });
        bench.show(in);
        COMPARE_WITH_CPU(bench, 3, 1e-4);
    }

    void sparsify()
    {
        for (const std::uint32_t width : { 1U, 3U, 21U, 64U, 577U }) {
            DeviceBench bench;
            const auto values = bench.slot(width, inputs(5, width, 9));
            bench.add(model::op::Sparsify { values, 1.2F });
            bench.show(values);
            COMPARE_WITH_CPU(bench, 5, 4e-6);
        }
    }

    void padding_data()
    {
        QTest::addColumn<bool>("sparse");
        QTest::newRow("layer norm") << false;
        QTest::newRow("sparsify") << true;
    }
    /// Padding stays 0 where the function of 0 is not.
    void padding()
    {
        QFETCH(bool, sparse);
        for (const std::uint32_t width : { 1U, 3U, 21U, 577U }) {
            DeviceBench bench;
            const auto values = bench.slot(width, inputs(5, width, 10));
            if (sparse) {
                bench.add(model::op::Sparsify { values, -3.0F });
            } else {
                bench.add(model::op::LayerNorm { values, nullptr, nullptr, 1e-5F, values });
            }
            const auto out = bench.slot(4);
            bench.add(model::op::CopyPieces { values, { width, 0 }, out, {}, 1, 4 - width % 4 });
            bench.show(out);
            const auto rest = bench.run(*testDevice(), 5, 5);
            QCOMPARE(rest.size(), 20U);
            QVERIFY(std::ranges::all_of(rest, [](float x) { return x == 0.0F; }));
        }
    }
};

QTEST_MAIN(TestVulkanNorms)
#include "tst_vulkan_norms.moc"
