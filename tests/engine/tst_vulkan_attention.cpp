// Cache and attention on a Vulkan device against the CPU: the same tokens in runs of several sizes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

#include <cmath>

using namespace engine;
using namespace tests;
using backend::CacheType;

namespace {

struct Shape
{
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
};

/// What models add to plain attention.
struct Rules
{
    std::uint32_t window = 0;
    std::uint32_t chunk = 0;
    float softCap = 0;
    float alibi = 0;
    bool sinks = false;
};

/// The graph of one layer, the second of a cache.
DeviceBench attentionBench(const Shape& shape, const Rules& rules, CacheType type, std::size_t rows,
                           float deviation = 1.0F)
{
    DeviceBench bench;
    bench.options.cacheType = type;
    bench.options.contextLength = static_cast<std::uint32_t>(rows) + 10;
    bench.graph.kv.layers = { { 2, 12, 20 },
                              { shape.kvHeads, shape.keyLength, shape.valueLength } };
    const auto slot = [&](std::uint32_t width, unsigned seed) {
        return bench.slot(width, randomFloats(rows * width, seed, deviation));
    };
    const auto query = slot(shape.heads * shape.keyLength, 1);
    const auto key = slot(shape.kvHeads * shape.keyLength, 2);
    const auto value = slot(shape.kvHeads * shape.valueLength, 3);
    const auto out = bench.slot(shape.heads * shape.valueLength);
    bench.add(model::op::StoreKv { 1, key, value });
    bench.add(model::op::Attention {
        .layer = 1,
        .query = query,
        .out = out,
        .heads = shape.heads,
        .scale = 1.0F / std::sqrt(float(shape.keyLength)),
        .window = rules.window,
        .softCap = rules.softCap,
        .alibi = rules.alibi,
        .sinks = rules.sinks ? bench.vector(randomFloats(shape.heads, 4, 2.0F)) : nullptr,
        .chunk = rules.chunk });
    bench.show(out);
    return bench;
}

/// The device agrees with the CPU, whatever the size of its batches.
void compare(const Shape& shape, const Rules& rules, CacheType type, std::size_t rows,
             const std::vector<std::size_t>& chunks, float deviation = 1.0F)
{
    const auto bench = attentionBench(shape, rules, type, rows, deviation);
    const auto expected = bench.run(backend::cpuBackend(), rows, rows);
    for (const auto chunk : chunks) {
        const auto actual = bench.run(*testDevice(), rows, chunk);
        const double difference = largestDifference(actual, expected);
        QVERIFY2(
            difference <= (type == CacheType::F32 ? 1e-4 : 1e-3),
            qPrintable(
                QString("%1 rows, %2 at once: off by %3").arg(rows).arg(chunk).arg(difference)));
    }
    const auto complaints = testDevice()->complaints();
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
}

constexpr Shape kSmall { 9, 3, 64, 64 };

} // namespace

class TestVulkanAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        qputenv("VITRINE_VULKAN_POISON", "1"); // the caches of all runs below
    }

    void contexts()
    {
        for (const auto type : { CacheType::F32, CacheType::F16 }) {
            for (const std::size_t rows : { 1U, 7U, 8U, 9U, 63U, 64U, 65U }) {
                compare(kSmall, {}, type, rows, { 1, 3, rows });
            }
            compare(kSmall, {}, type, 300, { 7, 300 });
        }
    }

    void shapes_data()
    {
        QTest::addColumn<unsigned>("heads");
        QTest::addColumn<unsigned>("kvHeads");
        QTest::addColumn<unsigned>("keyLength");
        QTest::addColumn<unsigned>("valueLength");
        QTest::newRow("one head") << 1U << 1U << 64U << 64U;
        QTest::newRow("no groups") << 3U << 3U << 32U << 32U;
        QTest::newRow("groups of 3") << 9U << 3U << 64U << 64U;
        QTest::newRow("groups of 8") << 32U << 4U << 16U << 16U;
        QTest::newRow("one key head") << 32U << 1U << 8U << 8U;
        QTest::newRow("groups of 7") << 14U << 2U << 24U << 24U;
        QTest::newRow("large heads") << 2U << 1U << 256U << 256U;
        QTest::newRow("80") << 4U << 2U << 80U << 80U;
        QTest::newRow("shorter values") << 4U << 4U << 192U << 128U;
        QTest::newRow("latent") << 4U << 1U << 576U << 512U;
        QTest::newRow("odd") << 4U << 2U << 5U << 7U;
        QTest::newRow("odd and long") << 2U << 1U << 65U << 129U;
        QTest::newRow("one number") << 6U << 2U << 1U << 1U;
        QTest::newRow("longer values") << 3U << 1U << 20U << 100U;
    }
    void shapes()
    {
        QFETCH(unsigned, heads);
        QFETCH(unsigned, kvHeads);
        QFETCH(unsigned, keyLength);
        QFETCH(unsigned, valueLength);
        // Compiling takes most of the time here: one type for many rows, the other for few.
        const Shape shape { heads, kvHeads, keyLength, valueLength };
        compare(shape, {}, CacheType::F16, 41, { 6, 41 });
        compare(shape, {}, CacheType::F32, 11, { 1 });
    }

    void rules_data()
    {
        QTest::addColumn<unsigned>("window");
        QTest::addColumn<unsigned>("chunk");
        QTest::addColumn<double>("softCap");
        QTest::addColumn<double>("alibi");
        QTest::addColumn<bool>("sinks");
        for (const unsigned window : { 1U, 2U, 5U, 33U, 64U, 1000U }) {
            QTest::addRow("window of %u", window) << window << 0U << 0.0 << 0.0 << false;
        }
        for (const unsigned chunk : { 1U, 3U, 32U, 40U, 1000U }) {
            QTest::addRow("chunk of %u", chunk) << 0U << chunk << 0.0 << 0.0 << false;
        }
        QTest::newRow("soft cap") << 0U << 0U << 2.0 << 0.0 << false;
        QTest::newRow("alibi") << 0U << 0U << 0.0 << 8.0 << false;
        QTest::newRow("sinks") << 0U << 0U << 0.0 << 0.0 << true;
        QTest::newRow("all with a window") << 11U << 0U << 5.0 << 4.0 << true;
        QTest::newRow("all with a chunk") << 0U << 17U << 5.0 << 4.0 << true;
    }
    void rules()
    {
        QFETCH(unsigned, window);
        QFETCH(unsigned, chunk);
        QFETCH(double, softCap);
        QFETCH(double, alibi);
        QFETCH(bool, sinks);
        const Rules rules { window, chunk, float(softCap), float(alibi), sinks };
        // 12 and 9 heads: no power of two
        compare({ 12, 4, 16, 16 }, rules, CacheType::F32, 70, { 1, 3, 70 });
        compare({ 9, 9, 20, 12 }, rules, CacheType::F16, 37, { 37 });
    }

    void largeScores()
    {
        compare(kSmall, {}, CacheType::F32, 50, { 1, 50 }, 4.0F);
        compare(kSmall, { 0, 0, 10.0F, 0, true }, CacheType::F32, 50, { 1, 50 }, 4.0F);
    }
};

QTEST_MAIN(TestVulkanAttention)
#include "tst_vulkan_attention.moc"
