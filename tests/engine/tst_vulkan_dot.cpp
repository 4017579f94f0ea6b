// Products by integer dot products on a Vulkan device against the CPU. A software device is made to
// work as GPUs do. SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/shader_types.h"
#include "shaders/shaders.h"
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using gguf::TensorType;

namespace {

constexpr double kTolerance = 2e-5; // of sums of another order, in units of a row's largest number
constexpr std::uint32_t kUnit = 32; // numbers with one scale

/// A device with dot products, software too, without matrices, which come first; null where there
/// is none.
DevicePointer dotDevice(const char* without = "software,matrix", unsigned range = 0)
{
    constexpr auto dot = &backend::DeviceFeatures::integerDot;
    qputenv("VITRINE_VULKAN_WITHOUT", without);
    return range > 0 ? openNarrow(range, dot) : openFirst(dot);
}

const DevicePointer& device()
{
    static const auto device = dotDevice();
    return device;
}

bool hasShader(TensorType type)
{
    return !shaders::find("linear_dot_" + std::string(backend::vulkan::shaderSuffix(type)) + ".any")
                .empty();
}

/// What is left of numbers once each 32 of them are signed bytes with one scale.
std::vector<float> asBytes(std::vector<float> numbers)
{
    for (std::size_t begin = 0; begin < numbers.size(); begin += kUnit) {
        const std::span unit(numbers.data() + begin, kUnit);
        float largest = 0;
        for (const float x : unit) {
            largest = std::max(largest, std::fabs(x));
        }
        const float toCodes = largest > 0 ? 127 / largest : 0; // as the shader has it
        for (float& x : unit) {
            x = std::nearbyint(x * toCodes) * (largest / 127);
        }
    }
    return numbers;
}

/// One product.
class Product
{
public:
    Product(TensorType type, std::uint32_t columns, std::uint32_t outputs, bool biased = false)
        : m_weights(type, columns, outputs, 7 + columns + outputs)
        , m_biased(biased)
    {
    }
    Product(TensorType type, std::uint32_t columns, std::uint32_t outputs, std::byte filling)
        : Product(type, columns, outputs)
    {
        std::ranges::fill(m_weights.bytes, filling);
    }

    void build(DeviceBench& bench, const std::vector<float>& inputs) const
    {
        const auto columns = static_cast<std::uint32_t>(m_weights.matrix.columns);
        const auto in = bench.slot(columns, inputs);
        const auto out = bench.slot(outputs());
        const auto* bias = m_biased ? bench.vector(randomFloats(outputs(), 12)) : nullptr;
        bench.add(model::op::Linear { in, { { bench.matrix(m_weights.matrix), bias, out } } });
        bench.show(out);
    }

    /// On the device.
    [[nodiscard]] std::vector<float> rounded(const std::vector<float>& inputs,
                                             const backend::Backend& backend = *device()) const
    {
        DeviceBench bench;
        build(bench, inputs);
        return tests::rounded(bench, backend, rows(inputs));
    }

    /// On the CPU in floats.
    [[nodiscard]] std::vector<float> exact(const std::vector<float>& inputs) const
    {
        DeviceBench bench;
        build(bench, inputs);
        return bench.run(backend::cpuBackend(), rows(inputs), rows(inputs));
    }

    /// The device's result is that of inputs rounded to bytes.
    void compare(const std::vector<float>& inputs,
                 const backend::Backend& backend = *device()) const
    {
        // what is left of a single sum may be small by chance: then rows are taken together
        constexpr std::uint32_t few = 8;
        const auto width = outputs() < few ? outputs() * rows(inputs) : outputs();
        const auto difference =
            rowDifference(rounded(inputs, backend), exact(asBytes(inputs)), width);
        QVERIFY2(difference <= kTolerance,
                 qPrintable(QString("%1 rows to %2 numbers: %3")
                                .arg(rows(inputs))
                                .arg(outputs())
                                .arg(difference)));
        const auto complaints = backend.complaints();
        QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
    }

private:
    [[nodiscard]] std::uint32_t outputs() const
    {
        return static_cast<std::uint32_t>(m_weights.matrix.rows);
    }
    [[nodiscard]] std::size_t rows(const std::vector<float>& inputs) const
    {
        return inputs.size() / m_weights.matrix.columns;
    }

    RandomMatrix m_weights;
    bool m_biased = false;
};

} // namespace

class TestVulkanDot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("VITRINE_VULKAN_VALIDATION", "1");
        qputenv("VITRINE_VULKAN_POISON", "1");
        if (!device()) {
            QSKIP("no device of this machine has integer dot products that are used");
        }
    }

    /// Bytes round where floats don't: so they were at work, and only where they may be.
    void isUsed()
    {
        const Product product(TensorType::Q4_0, 64, 64);
        DeviceBench bench;
        product.build(bench, randomFloats(64 * 9, 2));
        const auto exact = bench.run(*device(), 9, 9);
        QCOMPARE(exact.size(), 9U * 64U);
        const double difference = rowDifference(rounded(bench, *device(), 9), exact, 64);
        QVERIFY(difference > 1e-3 && difference < 2e-2);
        QVERIFY(rounded(bench, *device(), 8) == bench.run(*device(), 8, 8));
        const auto other = dotDevice("software,matrix,float16,dot");
        QVERIFY(rounded(bench, *other, 9) == exact);
    }

    void types_data()
    {
        QTest::addColumn<int>("type");
        for (const auto& info : gguf::tensorTypes()) {
            if (hasShader(info.type)) {
                QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.type);
            }
        }
    }
    void types()
    {
        QFETCH(int, type);
        const auto t = static_cast<TensorType>(type);
        const auto block = gguf::tensorTypeInfo(t).blockSize;
        const std::uint32_t odd = 3 * block;
        Product(t, odd, 67, true).compare(randomFloats(odd * 9, 11));
        Product(t, 8 * block, 33).compare(randomFloats(8 * block * 21, 12));
    }

    /// Blocks whose levels are all the same, the least and the largest among them.
    void levelsAtTheirEnds()
    {
        for (const auto type :
             { TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0, TensorType::Q5_1,
               TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K,
               TensorType::Q3_K, TensorType::IQ4_NL, TensorType::IQ4_XS }) {
            for (const auto filling : { std::byte { 0x00 }, std::byte { 0x3F }, std::byte { 0x80 },
                                        std::byte { 0xBF } }) {
                auto inputs = randomFloats(9 * 256, 4);
                std::fill_n(inputs.begin(), 256, -1.0F);
                std::fill_n(inputs.begin() + 256, 256, 1.0F);
                Product(type, 256, 9, filling).compare(inputs);
            }
        }
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
        QFETCH(unsigned, rows);
        Product(TensorType::Q8_0, 96, 71, true).compare(randomFloats(rows * 96, rows));
        Product(TensorType::Q5_1, 32, 1).compare(randomFloats(rows * 32, rows));
        Product(TensorType::Q4_K, 256, 64).compare(randomFloats(rows * 256, rows));
    }

    /// As many groups of rows as make a device take many tokens at once.
    void manyRows()
    {
        Product(TensorType::Q4_0, 32, 8191, true).compare(randomFloats(150 * 32, 1));
    }

    /// Tokens of very different sizes beside each other; below 1e-30 all may be zeros.
    void largeAndSmall()
    {
        constexpr std::uint32_t columns = 512;
        for (const auto type : { TensorType::Q8_0, TensorType::Q4_1, TensorType::Q6_K }) {
            Product(type, columns, 35).compare(tokensOfAllSizes(columns, 1e-27F));
        }
        auto tiny = randomFloats(9 * columns, 3);
        for (std::size_t i = 0; i < tiny.size(); ++i) {
            tiny[i] *= i < columns ? 1e-38F : 1e-36F;
        }
        for (const float x : Product(TensorType::Q8_0, columns, 35).rounded(tiny)) {
            QVERIFY(std::fabs(x) < 1e-30F);
        }
    }

    /// What is no number stays in its row.
    void infinities()
    {
        for (const auto type : { TensorType::Q4_0, TensorType::Q4_K, TensorType::Q6_K }) {
            constexpr std::uint32_t columns = 256;
            const Product product(type, columns, 40);
            auto inputs = randomFloats(20 * columns, 2);
            const auto before = product.rounded(inputs);
            inputs[4 * columns + 7] = INFINITY;
            inputs[6 * columns + 9] = NAN;
            inputs[7 * columns + 200] = -INFINITY;
            const auto after = product.rounded(inputs);
            QCOMPARE(after.size(), before.size());
            for (std::size_t i = 0; i < after.size(); ++i) {
                const auto row = i / 40;
                const bool isSpoiled = row == 4 || row == 6 || row == 7;
                QCOMPARE(std::isfinite(after[i]), !isSpoiled);
                QVERIFY(isSpoiled || after[i] == before[i]);
            }
        }
    }

    /// Where one of them has no such shader, all go another way.
    void severalTargets()
    {
        const SeveralTargets targets;
        for (std::size_t shown = 0; shown < targets.kCount; ++shown) {
            DeviceBench bench;
            targets.build(bench, 19, shown);
            const auto expected = bench.run(backend::cpuBackend(), 19, 19);
            const auto actual = rounded(bench, *device(), 19);
            QVERIFY(rowDifference(actual, expected, targets.outputs(shown)) < 5e-3);
        }
    }

    /// Three matrices of one type in one dispatch, and one of another type.
    void sharedBytes()
    {
        const RandomMatrix matrices[] { { TensorType::Q8_0, 64, 100, 1 },
                                        { TensorType::Q8_0, 64, 7, 2 },
                                        { TensorType::Q8_0, 64, 64, 3 },
                                        { TensorType::Q5_0, 64, 65, 4 } };
        const auto inputs = randomFloats(64 * 19, 6);
        for (std::size_t shown = 0; shown < std::size(matrices); ++shown) {
            const auto outputs = static_cast<std::uint32_t>(matrices[shown].matrix.rows);
            const auto build = [&](DeviceBench& bench, const std::vector<float>& numbers) {
                model::op::Linear op { bench.slot(64, numbers), {} };
                for (const auto& matrix : matrices) {
                    const auto rows = static_cast<std::uint32_t>(matrix.matrix.rows);
                    op.targets.push_back({ bench.matrix(matrix.matrix),
                                           bench.vector(randomFloats(rows, 8)), bench.slot(rows) });
                }
                bench.add(op);
                bench.show(op.targets[shown].out);
            };
            DeviceBench exact;
            build(exact, asBytes(inputs));
            DeviceBench bench;
            build(bench, inputs);
            const auto expected = exact.run(backend::cpuBackend(), 19, 19);
            QVERIFY(rowDifference(rounded(bench, *device(), 19), expected, outputs) < kTolerance);
        }
    }

    void added()
    {
        const RandomMatrix weights(TensorType::Q5_1, 64, 70, 1);
        const auto numbers = randomFloats(64 * 18, 2);
        const auto build = [&](DeviceBench& bench, const std::vector<float>& inputs) {
            const auto in = bench.slot(64, inputs);
            const auto into = bench.slot(70, randomFloats(70 * 18, 3));
            const auto out = bench.slot(70);
            bench.add(model::op::Linear {
                in, { { bench.matrix(weights.matrix), bench.vector(randomFloats(70, 5)), out } } });
            bench.add(model::op::Add { into, out });
            bench.show(into);
        };
        DeviceBench exact;
        build(exact, asBytes(numbers));
        DeviceBench bench;
        build(bench, numbers);
        const auto expected = exact.run(backend::cpuBackend(), 18, 18);
        QVERIFY(rowDifference(rounded(bench, *device(), 18), expected, 70) < kTolerance);
    }

    /// Matrices of which one binding sees only some rows.
    void windows()
    {
        const auto narrow = dotDevice("software,matrix", 4096);
        Product(TensorType::Q8_0, 256, 150, true).compare(randomFloats(40 * 256, 1), *narrow);
        Product(TensorType::Q6_K, 256, 150).compare(randomFloats(40 * 256, 1), *narrow);
    }
};

QTEST_MAIN(TestVulkanDot)
#include "tst_vulkan_dot.moc"
