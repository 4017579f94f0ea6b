// Caches larger than one binding of the device, against the CPU: devices whose bindings are made
// small. SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/kv_cache.h"
#include "tests/support/narrow_device.h"
#include "tests/support/own_device.h"

#include <cmath>

using namespace engine;
using namespace tests;
using backend::CacheType;

namespace {

/// Rotated or not, stored and attended to; `kvHeads` of 16 and 20 numbers.
DeviceBench attentionBench(std::uint32_t kvHeads, std::uint32_t group, CacheType type, bool rotates,
                           std::size_t rows)
{
    constexpr std::uint32_t keyLength = 16;
    constexpr std::uint32_t valueLength = 20;
    const auto heads = kvHeads * group;
    DeviceBench bench;
    bench.options.cacheType = type;
    bench.options.contextLength = 48;
    bench.graph.kv.layers = { { 1, 8, 8 }, { kvHeads, keyLength, valueLength } };
    const auto slot = [&](std::uint32_t width, unsigned seed) {
        return bench.slot(width, randomFloats(rows * width, seed));
    };
    const auto query = slot(heads * keyLength, 1);
    const auto key = slot(kvHeads * keyLength, 2);
    const auto value = slot(kvHeads * valueLength, 3);
    const auto out = bench.slot(heads * valueLength);
    if (rotates) {
        model::RopeParameters parameters;
        parameters.dimensions = 8;
        parameters.pairs = model::RopePairs::Halves;
        const auto* rope = bench.rope(parameters);
        bench.add(model::op::Rope { query, heads, keyLength, rope, 4 });
        bench.add(model::op::Rope { key, kvHeads, keyLength, rope, 4 });
    }
    bench.add(model::op::StoreKv { 1, key, value });
    bench.add(model::op::Attention { .layer = 1,
                                     .query = query,
                                     .out = out,
                                     .heads = heads,
                                     .scale = 1.0F / std::sqrt(float(keyLength)),
                                     .alibi = rotates ? 0.0F : 8.0F,
                                     .sinks = bench.vector(randomFloats(heads, 4)) });
    bench.show(out);
    return bench;
}

} // namespace

class TestVulkanCacheWindows : public QObject
{
    Q_OBJECT

    std::map<QString, DevicePointer> m_devices;

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        m_devices = narrowDevices();
        for (const auto& [name, device] : m_devices) {
            QVERIFY2(device, qPrintable(name));
        }
    }

    /// Whole heads in order, about as many in each window, none larger than a binding.
    void cacheWindows()
    {
        const OwnDevice own([](auto& facts) {
            facts.maxStorageRange = kNarrowRange;
            facts.maxTexels = 750;
        });
        backend::RunnerOptions options;
        options.contextLength = 48;
        for (const auto type : { CacheType::F32, CacheType::F16 }) {
            options.cacheType = type;
            const model::KvGeometry geometry { { { 7, 16, 20 }, { 0, 0, 0 }, { 1, 3, 1 } } };
            const auto cache = backend::vulkan::KvCache::create(own.device, geometry, options);
            QVERIFY(cache);
            const auto& layers = cache->layers();
            QCOMPARE(layers.size(), std::size_t(3));
            // values of a head: 48 * 20 numbers, in texels of 4 numbers
            const std::size_t expected = type == CacheType::F32 ? 4
                : own.device->readsTexels()                     ? 3
                                                                : 2;
            QCOMPARE(layers[0].windows.size(), expected);
            QVERIFY(layers[1].windows.empty());
            QCOMPARE(layers[2].windows.size(), std::size_t(1));
            const std::uint64_t size = type == CacheType::F32 ? 4 : 2;
            std::uint32_t head = 0;
            for (const auto& window : layers[0].windows) {
                QCOMPARE(window.firstHead, head);
                QVERIFY(window.heads > 0);
                head += window.heads;
                QCOMPARE(window.keys.bytes, window.heads * 48 * 16 * size);
                QCOMPARE(window.values.bytes, window.heads * 48 * 20 * size);
                QVERIFY(window.values.bytes <= kNarrowRange);
            }
            QCOMPARE(head, 7U);
        }
        // one head is too much
        const auto none =
            backend::vulkan::KvCache::create(own.device, { { { 2, 64, 8 } } }, options);
        QVERIFY(!none && none.error().code == ErrorCode::DeviceOutOfMemory);
        QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));
    }

    void attention_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("isFloat");
        QTest::addColumn<bool>("rotates");
        QTest::addColumn<unsigned>("group");
        for (const auto* device : { "texels", "storage", "as a GPU", "plain" }) {
            QTest::addRow("%s, floats", device) << QString(device) << true << false << 3U;
            QTest::addRow("%s, halves, rotated", device) << QString(device) << false << true << 2U;
        }
        QTest::newRow("texels, floats, rotated, one each")
            << QString("texels") << true << true << 1U;
    }
    void attention()
    {
        QFETCH(QString, device);
        QFETCH(bool, isFloat);
        QFETCH(bool, rotates);
        QFETCH(unsigned, group);
        constexpr std::size_t rows = 41;
        const auto bench =
            attentionBench(7, group, isFloat ? CacheType::F32 : CacheType::F16, rotates, rows);
        compareNarrow(bench, *m_devices[device], rows, isFloat ? 1e-4 : 1e-3);
    }
};

QTEST_MAIN(TestVulkanCacheWindows)
#include "tst_vulkan_cache_windows.moc"
