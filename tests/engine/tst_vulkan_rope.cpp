// Rotations on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using model::RopePairs;

namespace {

/// Rotates `heads` heads and compares, from `position` on.
void compare(const model::RopeParameters& parameters, std::uint32_t heads, std::uint32_t length,
             std::uint32_t offset, std::uint32_t position = 0, std::size_t rows = 5)
{
    DeviceBench bench;
    const auto values = bench.slot(heads * length, randomFloats(rows * heads * length, 1));
    bench.add(model::op::Rope { values, heads, length, &parameters, offset });
    bench.show(values);
    const auto expected = bench.run(backend::cpuBackend(), rows, rows, position);
    const auto actual = bench.run(*testDevice(), rows, rows, position);
    const double difference = largestDifference(actual, expected);
    QVERIFY2(difference <= 1e-6, qPrintable(QString::number(difference)));
}

} // namespace

class TestVulkanRope : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void shapes_data()
    {
        QTest::addColumn<unsigned>("heads");
        QTest::addColumn<unsigned>("length");
        QTest::addColumn<unsigned>("dimensions");
        QTest::addColumn<unsigned>("offset");
        QTest::newRow("whole head") << 9U << 64U << 64U << 0U;
        QTest::newRow("part") << 3U << 80U << 32U << 0U;
        QTest::newRow("behind") << 4U << 192U << 64U << 128U;
        QTest::newRow("odd length") << 3U << 27U << 14U << 5U;
        QTest::newRow("odd offset") << 2U << 20U << 8U << 6U;
        QTest::newRow("odd pairs") << 1U << 12U << 12U << 0U;
        QTest::newRow("one pair") << 5U << 2U << 2U << 0U;
        QTest::newRow("large") << 33U << 576U << 576U << 0U;
    }
    void shapes()
    {
        QFETCH(unsigned, heads);
        QFETCH(unsigned, length);
        QFETCH(unsigned, dimensions);
        QFETCH(unsigned, offset);
        for (const auto pairs : { RopePairs::Adjacent, RopePairs::Halves }) {
            model::RopeParameters parameters;
            parameters.dimensions = dimensions;
            parameters.pairs = pairs;
            compare(parameters, heads, length, offset);
        }
    }

    void farPositions()
    {
        model::RopeParameters parameters;
        parameters.dimensions = 32;
        for (const std::uint32_t position : { 1U, 4095U, 131'071U }) {
            compare(parameters, 2, 32, 0, position, 3);
        }
    }

    void twoTables()
    {
        model::RopeParameters one;
        one.dimensions = 16;
        model::RopeParameters other = one;
        other.base = 1e6F;
        other.pairs = RopePairs::Halves;
        other.dimensions = 8;
        DeviceBench bench;
        const auto values = bench.slot(32, randomFloats(7 * 32, 2));
        bench.add(model::op::Rope { values, 2, 16, &one });
        bench.add(model::op::Rope { values, 2, 16, &other });
        bench.show(values);
        COMPARE_WITH_CPU(bench, 7, 1e-6);
    }
};

QTEST_MAIN(TestVulkanRope)
#include "tst_vulkan_rope.moc"
