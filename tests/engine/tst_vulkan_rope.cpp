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

/// A layer's rotations and cache, up to attention.
struct Layer
{
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::uint32_t length;
    std::uint32_t valueLength;
    std::uint32_t dimensions;
    std::uint32_t offset;
};

void compareLayer(const Layer& layer, RopePairs pairs, backend::CacheType type, bool keyFirst)
{
    constexpr std::size_t rows = 9;
    model::RopeParameters parameters;
    parameters.dimensions = layer.dimensions;
    parameters.pairs = pairs;
    DeviceBench bench;
    bench.options.cacheType = type;
    bench.options.contextLength = 12;
    bench.graph.kv.layers = { { 1, 8, 8 }, { layer.kvHeads, layer.length, layer.valueLength } };
    const auto slot = [&](std::uint32_t width, unsigned seed) {
        return bench.slot(width, randomFloats(rows * width, seed));
    };
    const auto query = slot(layer.heads * layer.length, 1);
    const auto key = slot(layer.kvHeads * layer.length, 2);
    const auto value = slot(layer.kvHeads * layer.valueLength, 3);
    const auto out = bench.slot(layer.heads * layer.valueLength);
    const model::op::Rope ofQuery { query, layer.heads, layer.length, &parameters, layer.offset };
    const model::op::Rope ofKey { key, layer.kvHeads, layer.length, &parameters, layer.offset };
    bench.add(keyFirst ? ofKey : ofQuery);
    bench.add(keyFirst ? ofQuery : ofKey);
    bench.add(model::op::StoreKv { 1, key, value });
    bench.add(model::op::Attention { 1, query, out, layer.heads, 0.2F });
    for (const auto shown : { out, key, query }) {
        bench.show(shown);
        COMPARE_WITH_CPU(bench, rows, type == backend::CacheType::F32 ? 1e-5 : 1e-3);
    }
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

    void withCache_data()
    {
        QTest::addColumn<std::vector<unsigned>>("layer");
        QTest::newRow("usual") << std::vector { 9U, 3U, 64U, 64U, 64U, 0U };
        QTest::newRow("part") << std::vector { 4U, 2U, 40U, 16U, 16U, 0U };
        QTest::newRow("behind") << std::vector { 2U, 1U, 48U, 12U, 16U, 24U };
        QTest::newRow("odd") << std::vector { 2U, 2U, 18U, 7U, 14U, 1U };
    }
    void withCache()
    {
        QFETCH(std::vector<unsigned>, layer);
        const Layer shape { layer[0], layer[1], layer[2], layer[3], layer[4], layer[5] };
        compareLayer(shape, RopePairs::Adjacent, backend::CacheType::F32, false);
        compareLayer(shape, RopePairs::Halves, backend::CacheType::F16, true);
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
