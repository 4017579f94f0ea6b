// Products by cooperative matrices on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/matrix_shape.h"
#include "engine/backend/vulkan/shader_types.h"
#include "shaders/shaders.h"
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using backend::vulkan::bestShape;
using backend::vulkan::MatrixProperties;
using backend::vulkan::MatrixShape;
using gguf::TensorType;

namespace {

// Weights and activations are halves: 11 bits of each.
constexpr double kTolerance = 1e-3;

/// A device with matrices, software too; null where there is none. Without the validation layer,
/// which keeps them from being used, and without halves elsewhere.
tests::DevicePointer matrixDevice(const char* without = "software,float16", unsigned range = 0)
{
    constexpr auto matrices = &backend::DeviceFeatures::cooperativeMatrix;
    qputenv("VITRINE_VULKAN_WITHOUT", without);
    qputenv("VITRINE_VULKAN_POISON", "1");
    return range > 0 ? tests::openNarrow(range, matrices) : tests::openFirst(matrices);
}

const backend::Backend& device()
{
    static const auto device = matrixDevice();
    return *device;
}

#define NEED_MATRICES()                                                                            \
    do {                                                                                           \
        if (!matrixDevice()) {                                                                     \
            QSKIP("no device of this machine has cooperative matrices that are used");             \
        }                                                                                          \
    } while (false)

void compare(DeviceBench& bench, const backend::Backend& backend, std::size_t rows,
             std::size_t width)
{
    const auto expected = bench.run(backend::cpuBackend(), rows, rows);
    const double difference = rowDifference(rounded(bench, backend, rows), expected, width);
    QVERIFY2(difference <= kTolerance,
             qPrintable(QString("%1 rows of %2: %3").arg(rows).arg(width).arg(difference)));
}

/// One product of `inputs`, which are of `rows` rows.
void compare(TensorType type, std::uint32_t columns, std::uint32_t outputs,
             const std::vector<float>& inputs, bool biased = false,
             const backend::Backend& backend = device())
{
    const RandomMatrix weights(type, columns, outputs, 7 + columns + outputs);
    DeviceBench bench;
    const auto in = bench.slot(columns, inputs);
    const auto out = bench.slot(outputs);
    const auto* bias = biased ? bench.vector(randomFloats(outputs, 12)) : nullptr;
    bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), bias, out } } });
    bench.show(out);
    // what is left of a single sum may be small by chance: then rows are taken together
    constexpr std::uint32_t few = 8;
    const auto rows = inputs.size() / columns;
    compare(bench, backend, rows, outputs < few ? outputs * rows : outputs);
}

bool hasShader(TensorType type)
{
    const auto name =
        "linear_matrix_" + std::string(backend::vulkan::shaderSuffix(type)) + ".storage";
    return !shaders::find(name).empty();
}

MatrixProperties shape(std::uint32_t m, std::uint32_t n, std::uint32_t k,
                       std::uint32_t result = MatrixProperties::Float32,
                       std::uint32_t scope = MatrixProperties::Subgroup)
{
    MatrixProperties properties;
    properties.m = m;
    properties.n = n;
    properties.k = k;
    properties.a = properties.b = MatrixProperties::Float16;
    properties.c = properties.result = result;
    properties.scope = scope;
    return properties;
}

} // namespace

class TestVulkanMatrix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choosesShape()
    {
        QVERIFY(!bestShape({}));
        const auto halves = shape(16, 16, 16, MatrixProperties::Float16);
        const auto wide = shape(16, 16, 16, MatrixProperties::Float32, MatrixProperties::Workgroup);
        const auto odd = shape(12, 16, 16); // divides no share
        const auto thin = shape(16, 16, 4); // no whole pieces of 16 bytes
        auto saturated = shape(16, 16, 16);
        saturated.saturates = VK_TRUE;
        auto bytes = shape(16, 16, 16);
        bytes.a = 3;
        for (const auto& unfit : { halves, wide, odd, thin, saturated, bytes }) {
            QVERIFY(!bestShape(std::array { unfit }));
        }
        const auto best = bestShape(
            std::array { halves, shape(16, 8, 8), shape(16, 16, 16), shape(16, 8, 16), wide });
        QVERIFY(best == (MatrixShape { 16, 16, 16, 0 }));
        QVERIFY(bestShape(std::array { shape(8, 16, 16) }) == (MatrixShape { 8, 16, 16, 0 }));
    }

    void choosesDrivers_data()
    {
        QTest::addColumn<int>("driver");
        QTest::addColumn<unsigned>("deviceId");
        QTest::addColumn<unsigned>("leastSubgroup");
        QTest::addColumn<bool>("fast");
        QTest::newRow("RTX 3090") << int(VK_DRIVER_ID_NVIDIA_PROPRIETARY) << 0x2204U << 32U << true;
        QTest::newRow("RTX 2060") << int(VK_DRIVER_ID_NVIDIA_PROPRIETARY) << 0x1F08U << 32U << true;
        QTest::newRow("GTX 1650") << int(VK_DRIVER_ID_NVIDIA_PROPRIETARY) << 0x1F82U << 32U
                                  << false;
        QTest::newRow("GTX 1660") << int(VK_DRIVER_ID_NVIDIA_PROPRIETARY) << 0x2184U << 32U
                                  << false;
        QTest::newRow("RX 7900, RADV") << int(VK_DRIVER_ID_MESA_RADV) << 0x744CU << 32U << true;
        QTest::newRow("RX 7900, AMD")
            << int(VK_DRIVER_ID_AMD_PROPRIETARY) << 0x744CU << 32U << false;
        QTest::newRow("A770") << int(VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA) << 0x56A0U << 8U << false;
        QTest::newRow("B580") << int(VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA) << 0xE20BU << 16U << true;
        QTest::newRow("llvmpipe") << int(VK_DRIVER_ID_MESA_LLVMPIPE) << 0U << 8U << true;
        QTest::newRow("llvmpipe, wide") << int(VK_DRIVER_ID_MESA_LLVMPIPE) << 0U << 16U << false;
        QTest::newRow("another") << int(VK_DRIVER_ID_QUALCOMM_PROPRIETARY) << 1U << 64U << false;
    }
    void choosesDrivers()
    {
        QFETCH(int, driver);
        QFETCH(unsigned, deviceId);
        QFETCH(unsigned, leastSubgroup);
        QFETCH(bool, fast);
        QCOMPARE(backend::vulkan::multipliesFast(
                     { static_cast<VkDriverId>(driver), deviceId, leastSubgroup }),
                 fast);
    }

    /// Halves round where floats don't: so matrices were at work, and only where they may be.
    void isUsed()
    {
        NEED_MATRICES();
        const RandomMatrix weights(TensorType::Q4_0, 64, 64, 1);
        DeviceBench bench;
        const auto in = bench.slot(64, randomFloats(64 * 9, 2));
        const auto out = bench.slot(64);
        bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), nullptr, out } } });
        bench.show(out);
        const auto exact = bench.run(device(), 9, 9);
        QCOMPARE(exact.size(), 9U * 64U);
        QVERIFY(rounded(bench, device(), 9) != exact);
        QVERIFY(rounded(bench, device(), 8) == bench.run(device(), 8, 8));
        const auto other = matrixDevice("software,float16,dot,matrix");
        QVERIFY(rounded(bench, *other, 9) == exact);
    }

    void types_data()
    {
        QTest::addColumn<int>("type");
        for (const auto& info : gguf::tensorTypes()) {
            if (hasShader(info.type) && quant::codec(info.type)) {
                QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.type);
            }
        }
    }
    void types()
    {
        NEED_MATRICES();
        QFETCH(int, type);
        const auto t = static_cast<TensorType>(type);
        const auto block = gguf::tensorTypeInfo(t).blockSize;
        const std::uint32_t odd = block == 1 ? 77 : 3 * block;
        const std::uint32_t even = block == 1 ? 128 : 8 * block; // rows begin at multiples of 16
        compare(t, odd, 67, randomFloats(odd * 9, 11), true);
        compare(t, even, 33, randomFloats(even * 21, 12));
    }

    void sizes_data()
    {
        QTest::addColumn<unsigned>("rows");
        for (const unsigned rows : { 9U, 15U, 16U, 17U, 32U, 33U, 64U, 65U, 127U, 129U, 200U }) {
            QTest::addRow("%u", rows) << rows;
        }
    }
    void sizes()
    {
        NEED_MATRICES();
        QFETCH(unsigned, rows);
        compare(TensorType::Q8_0, 96, 71, randomFloats(rows * 96, rows), true);
        compare(TensorType::F16, 13, 1, randomFloats(rows * 13, rows));
        compare(TensorType::BF16, 1, 129, randomFloats(rows, rows));
        compare(TensorType::Q4_K, 256, 64, randomFloats(rows * 256, rows));
    }

    /// As many groups of rows as make a device take many tokens at once.
    void manyRows()
    {
        NEED_MATRICES();
        compare(TensorType::Q4_0, 32, 5000, randomFloats(150 * 32, 1), true);
    }

    /// Activations and sums that no half holds, tokens of very different sizes beside each other.
    void largeAndSmall()
    {
        NEED_MATRICES();
        constexpr std::uint32_t columns = 512;
        for (const auto type : { TensorType::Q8_0, TensorType::F16, TensorType::Q6_K }) {
            compare(type, columns, 35, tokensOfAllSizes(columns, 1e-30F));
        }
    }

    /// What one token has never shows in another's results.
    void endlessNumbers()
    {
        NEED_MATRICES();
        const RandomMatrix weights(TensorType::Q4_1, 64, 40, 1);
        auto inputs = randomFloats(20 * 64, 2);
        std::vector<float> results[2];
        for (auto& result : results) {
            DeviceBench bench;
            const auto in = bench.slot(64, inputs);
            const auto out = bench.slot(40);
            bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), nullptr, out } } });
            bench.show(out);
            result = rounded(bench, device(), 20);
            inputs[4 * 64 + 7] = INFINITY;
            inputs[6 * 64 + 9] = NAN;
        }
        for (std::size_t i = 0; i < results[0].size(); ++i) {
            const auto row = i / 40;
            QVERIFY((results[0][i] == results[1][i]) == (row != 4 && row != 6));
            QVERIFY(std::isfinite(results[1][i]) == (row != 4 && row != 6));
        }
    }

    /// Behind the end of a row lies the next one.
    void notTheNextRow()
    {
        NEED_MATRICES();
        RandomMatrix weights(TensorType::F16, 77, 40, 1);
        std::vector<float> results[2];
        for (auto& result : results) {
            DeviceBench bench;
            const auto in = bench.slot(77, randomFloats(10 * 77, 2));
            const auto out = bench.slot(40);
            bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), nullptr, out } } });
            bench.show(out);
            result = rounded(bench, device(), 10);
            std::fill_n(weights.bytes.begin() + 5 * 77 * 2, 77 * 2, std::byte { 0xFF }); // NaN
        }
        for (std::size_t i = 0; i < results[0].size(); ++i) {
            QCOMPARE(results[0][i] == results[1][i], i % 40 != 5);
        }
    }

    void severalTargets()
    {
        NEED_MATRICES();
        const tests::SeveralTargets targets;
        for (std::size_t shown = 0; shown < targets.kCount; ++shown) {
            DeviceBench bench;
            targets.build(bench, 19, shown);
            compare(bench, device(), 19, targets.outputs(shown));
        }
    }

    void added()
    {
        NEED_MATRICES();
        const RandomMatrix weights(TensorType::Q5_1, 64, 70, 1);
        DeviceBench bench;
        const auto in = bench.slot(64, randomFloats(64 * 18, 2));
        const auto into = bench.slot(70, randomFloats(70 * 18, 3));
        const auto out = bench.slot(70);
        bench.add(model::op::Linear {
            in, { { bench.matrix(weights.matrix), bench.vector(randomFloats(70, 5)), out } } });
        bench.add(model::op::Add { into, out });
        bench.show(into);
        compare(bench, device(), 18, 70);
    }

    /// Matrices of which one binding sees only some rows.
    void windows()
    {
        NEED_MATRICES();
        const auto narrow = matrixDevice("software,float16", 4096);
        compare(TensorType::Q8_0, 256, 150, randomFloats(40 * 256, 1), true, *narrow);
        compare(TensorType::F16, 77, 90, randomFloats(40 * 77, 1), true, *narrow);
    }
};

QTEST_MAIN(TestVulkanMatrix)
#include "tst_vulkan_matrix.moc"
