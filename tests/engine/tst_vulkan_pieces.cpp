// Ops that move, mix and weigh pieces of rows on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using model::op::Pieces;

class TestVulkanPieces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void copyPieces_data()
    {
        QTest::addColumn<unsigned>("inWidth");
        QTest::addColumn<unsigned>("inOffset");
        QTest::addColumn<unsigned>("inStep");
        QTest::addColumn<unsigned>("outWidth");
        QTest::addColumn<unsigned>("outOffset");
        QTest::addColumn<unsigned>("outStep");
        QTest::addColumn<unsigned>("count");
        QTest::addColumn<unsigned>("length");
        QTest::newRow("whole row") << 64U << 0U << 0U << 64U << 0U << 0U << 1U << 64U;
        QTest::newRow("odd row") << 21U << 0U << 0U << 21U << 0U << 0U << 1U << 21U;
        QTest::newRow("odd begin of a row") << 21U << 0U << 0U << 9U << 0U << 0U << 1U << 9U;
        QTest::newRow("into a longer row") << 21U << 0U << 0U << 40U << 8U << 0U << 1U << 21U;
        QTest::newRow("heads") << 96U << 16U << 24U << 64U << 0U << 16U << 3U << 8U;
        QTest::newRow("odd heads") << 63U << 2U << 9U << 41U << 1U << 5U << 6U << 5U;
        QTest::newRow("one to many") << 40U << 32U << 0U << 96U << 16U << 24U << 4U << 8U;
        QTest::newRow("single numbers") << 16U << 1U << 4U << 4U << 0U << 1U << 4U << 1U;
        QTest::newRow("long") << 2309U << 0U << 1154U << 2308U << 0U << 1154U << 2U << 1153U;
    }
    void copyPieces()
    {
        QFETCH(unsigned, inWidth);
        QFETCH(unsigned, inOffset);
        QFETCH(unsigned, inStep);
        QFETCH(unsigned, outWidth);
        QFETCH(unsigned, outOffset);
        QFETCH(unsigned, outStep);
        QFETCH(unsigned, count);
        QFETCH(unsigned, length);
        for (const std::size_t rows : { 1U, 5U, 70U }) {
            DeviceBench bench;
            const auto in = bench.slot(inWidth, randomFloats(rows * inWidth, 1));
            const auto out = bench.slot(outWidth, randomFloats(rows * outWidth, 2));
            bench.add(model::op::CopyPieces {
                in, { inOffset, inStep }, out, { outOffset, outStep }, count, length });
            bench.show(out);
            COMPARE_WITH_CPU(bench, rows, 0.0);
        }
    }

    void mixPieces_data()
    {
        QTest::addColumn<unsigned>("length");
        QTest::addColumn<unsigned>("count");
        QTest::addColumn<unsigned>("sources");
        QTest::addColumn<bool>("weighted");
        QTest::newRow("streams") << 64U << 4U << 4U << true;
        QTest::newRow("odd streams") << 21U << 4U << 4U << true;
        QTest::newRow("one source") << 577U << 3U << 1U << true;
        QTest::newRow("sum") << 36U << 1U << 3U << false;
        QTest::newRow("one number") << 1U << 1U << 1U << false;
    }
    void mixPieces()
    {
        QFETCH(unsigned, length);
        QFETCH(unsigned, count);
        QFETCH(unsigned, sources);
        QFETCH(bool, weighted);
        for (const std::size_t rows : { 1U, 5U }) {
            DeviceBench bench;
            const auto width = length * (count + 1);
            const auto into = bench.slot(width, randomFloats(rows * width, 3));
            const auto from =
                bench.slot(length * sources, randomFloats(rows * length * sources, 4));
            const auto weights =
                bench.slot(count * sources, randomFloats(rows * count * sources, 5));
            bench.add(model::op::MixPieces { into,
                                             { length, length },
                                             count,
                                             from,
                                             sources,
                                             length,
                                             weighted ? weights : -1,
                                             weighted ? 0.5F : 1.0F });
            bench.show(into);
            COMPARE_WITH_CPU(bench, rows, 1e-6);
        }
    }

    void matchLength()
    {
        for (const std::uint32_t length : { 1U, 3U, 21U, 64U, 577U }) {
            for (const std::size_t rows : { 1U, 5U }) {
                DeviceBench bench;
                const auto width = 4 * length;
                auto numbers = randomFloats(rows * width, 6);
                std::fill_n(numbers.begin() + length, length, 0.0F); // stays 0
                auto wanted = randomFloats(rows * length, 7, 1e4F);
                const auto values = bench.slot(width, numbers);
                const auto like = bench.slot(length, wanted);
                bench.add(model::op::MatchLength { values, { length, length }, 3, like });
                bench.show(values);
                COMPARE_WITH_CPU(bench, rows, 4e-6);
            }
        }
    }

    void matchLengthOfRow()
    {
        DeviceBench bench;
        const auto values = bench.slot(21, randomFloats(std::size_t(5) * 21, 8));
        const auto like = bench.slot(21, randomFloats(std::size_t(5) * 21, 9));
        bench.add(model::op::MatchLength { values, {}, 1, like });
        bench.show(values);
        COMPARE_WITH_CPU(bench, 5, 4e-6);
    }

    void combineExperts()
    {
        for (const std::uint32_t width : { 1U, 3U, 64U, 577U }) {
            for (const std::uint32_t used : { 1U, 3U, 8U }) {
                DeviceBench bench;
                const auto in = bench.slot(used * width, randomFloats(5UL * used * width, 10));
                const auto route = bench.slot(2 * used, randomFloats(10UL * used, 11));
                const auto out = bench.slot(width);
                bench.add(model::op::CombineExperts { in, route, used, out });
                bench.show(out);
                COMPARE_WITH_CPU(bench, 5, 1e-6);
            }
        }
    }
};

QTEST_MAIN(TestVulkanPieces)
#include "tst_vulkan_pieces.moc"
