// Weights and caches larger than one binding of the device, against the CPU: devices whose bindings
// are made small.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/kv_cache.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"

#include <cmath>

using namespace engine;
using namespace tests;
using backend::CacheType;
using gguf::TensorType;

namespace {

constexpr std::uint64_t kRange = 8192;

/// A device with bindings of kRange bytes that leaves these features unused as well.
DevicePointer narrowDevice(const QByteArray& without)
{
    constexpr const char* without_ = "VITRINE_VULKAN_WITHOUT";
    const bool wasSet = qEnvironmentVariableIsSet(without_);
    const auto before = qgetenv(without_);
    qputenv(without_, before + "," + without);
    auto device = openNarrow(kRange);
    if (wasSet) {
        qputenv(without_, before);
    } else {
        qunsetenv(without_);
    }
    return device;
}

/// Random weights that begin so many bytes behind a multiple of 64.
struct OffsetMatrix
{
    OffsetMatrix(TensorType type, std::size_t columns, std::size_t rows, std::size_t offset,
                 unsigned seed)
        : source(type, columns, rows, seed)
        , matrix(source.matrix)
    {
        bytes.resize(64 + offset + source.bytes.size() + 64, std::byte { 0xFF });
        void* begin = bytes.data();
        auto space = bytes.size();
        std::align(64, 1, begin, space);
        auto* data = static_cast<std::byte*>(begin) + offset;
        std::ranges::copy(source.bytes, data);
        matrix.data = { data, source.bytes.size() };
    }
    OffsetMatrix(const OffsetMatrix&) = delete;
    OffsetMatrix& operator=(const OffsetMatrix&) = delete;

    RandomMatrix source;
    std::vector<std::byte> bytes;
    model::Matrix matrix;
};

/// Device and CPU agree to `tolerance` of the largest number, for all rows at once and one by one.
void compare(const DeviceBench& bench, const backend::Backend& device, std::size_t rows,
             double tolerance)
{
    auto expected = bench.run(backend::cpuBackend(), rows, rows);
    float largest = 1;
    for (const float x : expected) {
        largest = std::max(largest, std::fabs(x));
    }
    const auto scaled = [&](std::vector<float> values) {
        for (auto& x : values) {
            x /= largest;
        }
        return values;
    };
    expected = scaled(std::move(expected));
    for (const auto chunk : { rows, std::size_t(1) }) {
        const auto difference = largestDifference(scaled(bench.run(device, rows, chunk)), expected);
        QVERIFY2(
            difference <= tolerance,
            qPrintable(
                QString("%1 rows, %2 at once: off by %3").arg(rows).arg(chunk).arg(difference)));
    }
    const auto complaints = device.complaints();
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
}

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

class TestVulkanWindows : public QObject
{
    Q_OBJECT

    std::map<QString, std::shared_ptr<const backend::Backend>> m_devices;

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        m_devices["texels"] = narrowDevice({});
        m_devices["storage"] = narrowDevice("texels");
        m_devices["as a GPU"] = narrowDevice("software");
        m_devices["plain"] = narrowDevice("subgroups");
        for (const auto& [name, device] : m_devices) {
            QVERIFY2(device, qPrintable(name));
        }
    }

    void products_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<TensorType>("type");
        QTest::addColumn<unsigned>("columns");
        QTest::addColumn<unsigned>("offset");
        const auto row = [](const char* device, TensorType type, unsigned columns,
                            unsigned offset) {
            QTest::addRow("%s, %s, %u columns, from byte %u", device,
                          gguf::tensorTypeInfo(type).name.data(), columns, offset)
                << QString(device) << type << columns << offset;
        };
        row("texels", TensorType::Q8_0, 96, 2);
        row("texels", TensorType::Q4_0, 64, 36); // the aligned way
        row("storage", TensorType::F32, 77, 4);
        row("as a GPU", TensorType::Q8_0, 96, 2);
        row("plain", TensorType::F16, 33, 2);
    }

    /// Large, small, large again, with biases that one binding can't hold together.
    void targets_data() { products_data(); }
    void targets()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        const OffsetMatrix a(type, columns, 601, offset, 1);
        const OffsetMatrix b(type, columns, 7, offset, 2);
        const OffsetMatrix c(type, columns, 13, offset + 64, 3);
        const OffsetMatrix d(type, columns, 1201, offset, 4);
        constexpr std::size_t rows = 5;
        for (const std::size_t shown : { 1U, 3U }) {
            DeviceBench bench;
            const auto in = bench.slot(columns, randomFloats(columns * rows, 6));
            model::op::Linear op { in, {} };
            for (const auto* matrix : { &a, &b, &c, &d }) {
                const auto outputs = static_cast<std::uint32_t>(matrix->matrix.rows);
                op.targets.push_back(
                    { bench.matrix(matrix->matrix),
                      matrix == &b ? nullptr : bench.vector(randomFloats(outputs, 8)),
                      bench.slot(outputs) });
            }
            bench.add(op);
            bench.show(op.targets[shown].out);
            compare(bench, *m_devices[device], rows, 2e-5);
        }
    }

    /// Small matrices in one binding, whose biases are not.
    void biases()
    {
        constexpr std::uint32_t outputs = 1201;
        const RandomMatrix both(TensorType::F16, 1, 2 * outputs, 1);
        const auto a = both.matrix.rowRange(0, outputs);
        const auto b = both.matrix.rowRange(outputs, outputs);
        for (const bool second : { false, true }) {
            DeviceBench bench;
            const auto in = bench.slot(1, randomFloats(3, 6));
            const auto outA = bench.slot(outputs);
            const auto outB = bench.slot(outputs);
            bench.add(model::op::Linear {
                in,
                { { bench.matrix(a), bench.vector(randomFloats(outputs, 7)), outA },
                  { bench.matrix(b), bench.vector(randomFloats(outputs, 8)), outB } } });
            bench.show(second ? outB : outA);
            compare(bench, *m_devices["texels"], 3, 2e-5);
        }
    }

    /// Whose result is added to what is there.
    void added_data() { products_data(); }
    void added()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t outputs = 601;
        constexpr std::size_t rows = 9;
        const OffsetMatrix weights(type, columns, outputs, offset, 1);
        DeviceBench bench;
        const auto in = bench.slot(columns, randomFloats(columns * rows, 2));
        const auto into = bench.slot(outputs, randomFloats(outputs * rows, 3));
        const auto out = bench.slot(outputs);
        bench.add(model::op::Linear {
            in,
            { { bench.matrix(weights.matrix), bench.vector(randomFloats(outputs, 5)), out } } });
        bench.add(model::op::Add { into, out });
        bench.show(into);
        compare(bench, *m_devices[device], rows, 5e-5);
    }

    /// Windows end within a matrix of the stack.
    void heads_data() { products_data(); }
    void heads()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t count = 5;
        constexpr std::uint32_t outputs = 83;
        constexpr std::size_t rows = 3;
        const OffsetMatrix weights(type, columns, std::size_t(outputs) * count, offset, 1);
        const model::MatrixStack stack { weights.matrix, count };
        DeviceBench bench;
        const auto in = bench.slot(count * columns, randomFloats(rows * count * columns, 2));
        const auto out = bench.slot(count * outputs + 2);
        bench.add(model::op::HeadLinear { in, { 0, columns }, &stack, out, { 1, outputs } });
        bench.show(out);
        compare(bench, *m_devices[device], rows, 5e-5);
    }

    void experts_data() { products_data(); }
    void experts()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t count = 7;
        constexpr std::uint32_t used = 3;
        constexpr std::uint32_t outputs = 61;
        constexpr std::size_t rows = 5;
        const OffsetMatrix weights(type, columns, std::size_t(outputs) * count, offset, 1);
        const OffsetMatrix others(type, columns, std::size_t(outputs) * count, offset, 2);
        const model::MatrixStack stack { weights.matrix, count };
        const model::MatrixStack otherStack { others.matrix, count };
        for (const bool second : { false, true }) {
            DeviceBench bench;
            buildExperts(bench, stack, otherStack, used, columns, rows, second);
            compare(bench, *m_devices[device], rows, 5e-5);
        }
    }

    /// Whole heads in order, about as many in each window, none larger than a binding.
    void cacheWindows()
    {
        const OwnDevice own([](auto& facts) {
            facts.maxStorageRange = kRange;
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
                QVERIFY(window.values.bytes <= kRange);
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
        compare(bench, *m_devices[device], rows, isFloat ? 1e-4 : 1e-3);
    }
};

QTEST_MAIN(TestVulkanWindows)
#include "tst_vulkan_windows.moc"
