// Norms and sums on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;

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

    void rmsNorm_data()
    {
        QTest::addColumn<unsigned>("width");
        QTest::addColumn<unsigned>("pieces");
        QTest::addColumn<int>("weights"); // 0 none, 1 of a piece, 2 of the row
        QTest::newRow("row") << 576U << 1U << 1;
        QTest::newRow("odd") << 21U << 3U << 1;
        QTest::newRow("heads") << 256U << 4U << 2;
        QTest::newRow("none") << 40U << 2U << 0;
    }
    void rmsNorm()
    {
        QFETCH(unsigned, width);
        QFETCH(unsigned, pieces);
        QFETCH(int, weights);
        DeviceBench bench;
        const auto in = bench.slot(width, randomFloats(7 * width, 3));
        const auto out = bench.slot(width);
        const auto* weight = weights == 0
            ? nullptr
            : bench.vector(randomFloats(weights == 1 ? width / pieces : width, 4));
        bench.add(model::op::RmsNorm { in, weight, 1e-5F, out, pieces });
        bench.show(out);
        COMPARE_WITH_CPU(bench, 7, 2e-6);
    }
};

QTEST_MAIN(TestVulkanNorms)
#include "tst_vulkan_norms.moc"
