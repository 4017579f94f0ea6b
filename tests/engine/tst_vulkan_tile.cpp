// Products with many tokens as GPUs do them, by tiles in shared memory, against the CPU. A software
// device is made to work so too.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/shader_types.h"
#include "engine/backend/vulkan/tile_product.h"
#include "tests/support/conformance.h"
#include "tests/support/device_bench.h"

#include <set>

using namespace engine;
using namespace tests;
using backend::ActivationMode;
using backend::vulkan::TileNumbers;
using backend::vulkan::TileShape;
using gguf::TensorType;

namespace {

// Sums of another order, and those of halves: in units of the largest number.
constexpr double kFloats = 2e-5;
constexpr double kHalves = 4e-3;

/// The shown slot, of all tokens at once.
void keepAll(DeviceBench& bench, model::Slot slot, std::uint32_t width)
{
    const auto kept = bench.slot(width);
    bench.add(model::op::KeepOutputs { slot, kept });
    bench.show(kept);
}

/// Differences of device and CPU, in units of the largest number.
double difference(const DeviceBench& bench, const backend::Backend& device, std::uint32_t tokens)
{
    auto expected = bench.run(backend::cpuBackend(), tokens, tokens);
    auto actual = bench.run(device, tokens, tokens);
    float largest = 1;
    for (const float x : expected) {
        largest = std::max(largest, std::fabs(x));
    }
    for (auto* numbers : { &expected, &actual }) {
        for (auto& x : *numbers) {
            x /= largest;
        }
    }
    return largestDifference(actual, expected);
}

struct Case
{
    TensorType type = TensorType::Q4_0;
    std::uint32_t columns = 96;
    std::uint32_t outputs = 67;
    std::uint32_t tokens = 17;
    float magnitude = 1.0F;
};

/// In both modes against floats on the CPU.
void compare(const Case& c, const std::shared_ptr<const backend::Backend>& device = testDevice())
{
    const RandomMatrix weights(c.type, c.columns, c.outputs, 7 + c.columns + c.outputs);
    DeviceBench bench;
    const auto in =
        bench.slot(c.columns, randomFloats(std::size_t(c.tokens) * c.columns, 11, c.magnitude));
    const auto out = bench.slot(c.outputs);
    bench.add(model::op::Linear {
        in, { { bench.matrix(weights.matrix), bench.vector(randomFloats(c.outputs, 12)), out } } });
    keepAll(bench, out, c.outputs);
    const auto expected = bench.run(backend::cpuBackend(), c.tokens, c.tokens);
    float largest = 1;
    for (const float x : expected) {
        largest = std::max(largest, std::fabs(x));
    }
    for (const auto mode : { ActivationMode::Float, ActivationMode::Q8 }) {
        bench.options.activations = mode;
        const auto actual = bench.run(*device, c.tokens, c.tokens);
        QCOMPARE(actual.size(), expected.size());
        double worst = 0;
        for (std::size_t i = 0; i < actual.size(); ++i) {
            const auto off = std::fabs(actual[i] - expected[i]) / largest;
            worst = off <= worst ? worst : std::isnan(off) ? INFINITY : off;
        }
        const bool isFloat = mode == ActivationMode::Float;
        QVERIFY2(worst < (isFloat ? kFloats : kHalves),
                 qPrintable(QString("%1 %2, %3 columns, %4 outputs, %5 tokens: %6")
                                .arg(isFloat ? "floats," : "halves,")
                                .arg(gguf::tensorTypeInfo(c.type).name.data())
                                .arg(c.columns)
                                .arg(c.outputs)
                                .arg(c.tokens)
                                .arg(worst)));
    }
    const auto complaints = device->complaints();
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
}

} // namespace

class TestVulkanTile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto without = qgetenv("VITRINE_VULKAN_WITHOUT");
        qputenv("VITRINE_VULKAN_WITHOUT",
                without.isEmpty() ? "software,matrix,dot" : without + ",software,matrix,dot");
        qputenv("VITRINE_VULKAN_POISON", "1");
        NEED_DEVICE();
        // one more, whose bindings are so small that a matrix needs several
        m_narrow = tests::openNarrow(4096);
        QVERIFY(m_narrow);
    }

    void shapes()
    {
        backend::DeviceFacts least;
        least.maxInvocations = 128;
        least.sharedBytes = 16384;
        auto usual = least;
        usual.maxInvocations = 1024;
        usual.sharedBytes = 49152;
        for (const auto& facts : { least, usual }) {
            for (const std::uint64_t rows : { 1U, 64U, 4096U, 128256U }) {
                for (const std::uint32_t tokens : { 9U, 16U, 17U, 33U, 512U }) {
                    for (const auto numbers :
                         { TileNumbers::Floats, TileNumbers::Halves, TileNumbers::Bytes }) {
                        const auto shape =
                            backend::vulkan::tileShapeFor(facts, rows, tokens, numbers);
                        QVERIFY(shape.fits(facts));
                        QCOMPARE(shape.numbers, numbers);
                    }
                }
            }
        }
        const auto large = backend::vulkan::tileShapeFor(usual, 14336, 512, TileNumbers::Halves);
        QCOMPARE(large.rowsOfGroup(), 64U);
        QCOMPARE(large.tokensOfGroup(), 64U);
        QVERIFY(!(TileShape { 8, 8, 8, 8 }.fits(usual))); // nobody to fetch the tokens
    }

    void types_data()
    {
        QTest::addColumn<int>("type");
        const std::set<TensorType> sample {
            TensorType::F32,  TensorType::F16,     TensorType::Q4_0,
            TensorType::Q4_K, TensorType::IQ2_XXS, TensorType::TQ1_0
        };
        for (const auto& info : gguf::tensorTypes()) {
            if (!backend::vulkan::shaderSuffix(info.type).empty() && quant::codec(info.type)
                && (fullRun() || sample.contains(info.type))) {
                QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.type);
            }
        }
    }
    void types()
    {
        QFETCH(int, type);
        const auto t = static_cast<TensorType>(type);
        const auto block = gguf::tensorTypeInfo(t).blockSize;
        compare({ t, block == 1 ? 77 : 3 * block });
        compare({ t, block == 1 ? 64 : block, 33, 20 });
    }

    void borders_data()
    {
        QTest::addColumn<unsigned>("outputs");
        QTest::addColumn<unsigned>("tokens");
        const auto add = [](unsigned outputs, unsigned tokens) {
            QTest::addRow("%u outputs, %u tokens", outputs, tokens) << outputs << tokens;
        };
        for (const unsigned tokens : { 9U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 131U }) {
            add(37, tokens);
        }
        for (const unsigned outputs : { 1U, 31U, 32U, 33U, 63U, 64U, 65U, 127U }) {
            add(outputs, 33);
        }
        add(8191, 70); // so many that tiles are large
    }
    void borders()
    {
        QFETCH(unsigned, outputs);
        QFETCH(unsigned, tokens);
        compare({ TensorType::Q4_0, 32, outputs, tokens });
    }

    void oddLengths()
    {
        for (const std::uint32_t columns : { 1U, 7U, 31U, 33U }) {
            compare({ TensorType::F32, columns, 5, 19 });
            compare({ TensorType::F16, columns, 5, 19 });
        }
    }

    /// Halves end at 65504.
    void largeSums()
    {
        compare({ TensorType::Q8_0, 256, 33, 20, 1e5F });
        compare({ TensorType::F16, 256, 33, 20, 1e4F });
        compare({ TensorType::Q4_K, 256, 33, 20, 1e-7F });
    }

    /// One number is so large that beside it the others are nothing; those of other columns are
    /// not.
    void outliers()
    {
        constexpr std::uint32_t columns = 128;
        constexpr std::uint32_t tokens = 40;
        const RandomMatrix weights(TensorType::F16, columns, 20, 1);
        auto numbers = randomFloats(columns * tokens, 2);
        for (std::uint32_t i = 0; i < tokens; i += 3) {
            numbers[i * columns + i] = 1e7F;
        }
        for (std::uint32_t i = 0; i < columns; ++i) {
            numbers[columns + i] = 0.0F;
        }
        DeviceBench bench;
        bench.options.activations = ActivationMode::Q8;
        const auto in = bench.slot(columns, numbers);
        const auto out = bench.slot(20);
        bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), nullptr, out } } });
        keepAll(bench, out, 20);
        const auto expected = bench.run(backend::cpuBackend(), tokens, tokens);
        const auto actual = bench.run(*testDevice(), tokens, tokens);
        for (std::uint32_t token = 0; token < tokens; ++token) {
            for (std::uint32_t i = token * 20; i < (token + 1) * 20; ++i) {
                const auto unit = token % 3 == 0 ? 3e7F : token == 1 ? 1e-9F : 30.0F;
                QVERIFY(std::fabs(actual[i] - expected[i]) <= 1e-3F * unit);
            }
        }
    }

    void windows()
    {
        compare({ TensorType::Q8_0, 96, 150, 3 }, m_narrow);
        compare({ TensorType::Q8_0, 96, 150, 20 }, m_narrow);
    }

    void severalTargets()
    {
        const tests::SeveralTargets targets;
        for (std::size_t shown = 0; shown < targets.kCount; ++shown) {
            DeviceBench bench;
            targets.build(bench, 21, shown);
            QVERIFY(difference(bench, *testDevice(), 21) < kFloats);
        }
    }

    void heads()
    {
        constexpr std::uint32_t heads = 3;
        for (const std::uint32_t columns : { 64U, 35U }) {
            const RandomMatrix weights(TensorType::F16, columns, 9 * heads, 1);
            const model::MatrixStack stack { weights.matrix, heads };
            const std::uint32_t offset = columns == 64 ? 8 : 3;
            const std::uint32_t inWidth = offset + heads * (columns + 5);
            const std::uint32_t outWidth = 2 + heads * 10;
            DeviceBench bench;
            const auto in = bench.slot(inWidth, randomFloats(33UL * inWidth, 2));
            // what no head writes stays
            const auto out = bench.slot(outWidth, randomFloats(33UL * outWidth, 3));
            bench.add(
                model::op::HeadLinear { in, { offset, columns + 5 }, &stack, out, { 2, 10 } });
            keepAll(bench, out, outWidth);
            QVERIFY(difference(bench, *testDevice(), 33) < kFloats);
            QVERIFY(difference(bench, *m_narrow, 33) < kFloats);
        }
    }

    void added()
    {
        const RandomMatrix weights(TensorType::Q8_0, 64, 70, 1);
        DeviceBench bench;
        const auto in = bench.slot(64, randomFloats(64 * 40, 2));
        const auto into = bench.slot(70, randomFloats(70 * 40, 3));
        const auto out = bench.slot(70);
        bench.add(model::op::Linear {
            in, { { bench.matrix(weights.matrix), bench.vector(randomFloats(70, 5)), out } } });
        bench.add(model::op::Add { into, out });
        keepAll(bench, into, 70);
        QVERIFY(difference(bench, *testDevice(), 40) < kFloats);
    }

private:
    std::shared_ptr<const backend::Backend> m_narrow;
};

QTEST_MAIN(TestVulkanTile)
#include "tst_vulkan_tile.moc"
