// Products with weight matrices on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/shader_types.h"
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using gguf::TensorType;

namespace {

std::uint32_t blockSize(TensorType type)
{
    return gguf::tensorTypeInfo(type).blockSize;
}

/// Differences are those of another order of the sum: small beside the largest number of all.
void scaleDown(std::vector<float>& values, float by)
{
    for (auto& x : values) {
        x /= by;
    }
}

/// One product of `rows` inputs with `outputs` × `columns` weights.
void compare(TensorType type, std::uint32_t columns, std::uint32_t outputs, std::uint32_t rows,
             bool biased = false, float magnitude = 1.0F)
{
    const RandomMatrix weights(type, columns, outputs, 7 + columns + outputs);
    DeviceBench bench;
    const auto in = bench.slot(columns, randomFloats(std::size_t(rows) * columns, 11, magnitude));
    const auto out = bench.slot(outputs);
    const auto* bias = biased ? bench.vector(randomFloats(outputs, 12)) : nullptr;
    bench.add(model::op::Linear { in, { { bench.matrix(weights.matrix), bias, out } } });
    bench.show(out);
    auto expected = bench.run(backend::cpuBackend(), rows, rows);
    auto actual = bench.run(*testDevice(), rows, rows);
    float largest = 1;
    for (const float x : expected) {
        largest = std::max(largest, std::fabs(x));
    }
    scaleDown(expected, largest);
    scaleDown(actual, largest);
    const auto difference = largestDifference(actual, expected);
    QVERIFY2(
        difference < 2e-5,
        qPrintable(QString("%1, %2 columns, %3 outputs, %4 rows: %5")
                       .arg(QString::fromStdString(std::string(gguf::tensorTypeInfo(type).name)))
                       .arg(columns)
                       .arg(outputs)
                       .arg(rows)
                       .arg(difference)));
    const auto complaints = testDevice()->complaints();
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
}

} // namespace

class TestVulkanLinear : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void types_data()
    {
        QTest::addColumn<int>("type");
        for (const auto& info : gguf::tensorTypes()) {
            if (!backend::vulkan::shaderSuffix(info.type).empty() && quant::codec(info.type)) {
                QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.type);
            }
        }
    }
    void types()
    {
        QFETCH(int, type);
        const auto t = static_cast<TensorType>(type);
        const auto block = blockSize(t);
        compare(t, block, 1, 1);
        compare(t, block == 1 ? 77 : 3 * block, 67, 1, true);
        compare(t, block == 1 ? 64 : 8 * block, 65, 1);
        compare(t, block == 1 ? 77 : 3 * block, 67, 9, true);
    }

    void rows_data()
    {
        QTest::addColumn<unsigned>("rows");
        for (const unsigned rows : { 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 32U, 33U, 64U, 65U }) {
            QTest::addRow("%u", rows) << rows;
        }
    }
    void rows()
    {
        QFETCH(unsigned, rows);
        compare(TensorType::Q4_0, 96, 71, rows, true);
        compare(TensorType::F32, 13, 9, rows);
    }

    void largeSums()
    {
        compare(TensorType::Q8_0, 256, 33, 3, false, 1e5F);
        compare(TensorType::F16, 256, 33, 9, false, 1e5F);
    }

    void severalTargets()
    {
        const tests::SeveralTargets targets;
        for (const std::uint32_t rows : { 1U, 5U }) {
            for (std::size_t shown = 0; shown < targets.kCount; ++shown) {
                DeviceBench bench;
                targets.build(bench, rows, shown);
                COMPARE_WITH_CPU(bench, rows, 2e-5);
            }
        }
    }

    void heads_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<unsigned>("columns");
        QTest::addColumn<unsigned>("outputs"); // of a head
        QTest::addColumn<unsigned>("offset");
        QTest::newRow("Q8_0") << int(TensorType::Q8_0) << 64U << 32U << 8U;
        QTest::newRow("F16 at odd places") << int(TensorType::F16) << 35U << 9U << 3U;
    }
    void heads()
    {
        QFETCH(int, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, outputs);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t heads = 3;
        const RandomMatrix weights(static_cast<TensorType>(type), columns,
                                   std::size_t(outputs) * heads, 1);
        const model::MatrixStack stack { weights.matrix, heads };
        const std::uint32_t inWidth = offset + heads * (columns + 5);
        const std::uint32_t outWidth = 2 + heads * (outputs + 1);
        for (const std::uint32_t rows : { 1U, 9U, 33U }) {
            DeviceBench bench;
            const auto in = bench.slot(inWidth, randomFloats(std::size_t(rows) * inWidth, 2));
            // what no head writes stays
            const auto out = bench.slot(outWidth, randomFloats(std::size_t(rows) * outWidth, 3));
            bench.add(model::op::HeadLinear {
                in, { offset, columns + 5 }, &stack, out, { 2, outputs + 1 } });
            bench.show(out);
            COMPARE_WITH_CPU(bench, rows, 5e-5);
        }
    }

    void experts_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<unsigned>("columns");
        QTest::addColumn<bool>("shared");
        QTest::newRow("Q4_0, one input") << int(TensorType::Q4_0) << 96U << true;
        QTest::newRow("Q8_0, own inputs") << int(TensorType::Q8_0) << 64U << false;
        QTest::newRow("F32, own inputs, odd") << int(TensorType::F32) << 21U << false;
    }
    void experts()
    {
        QFETCH(int, type);
        QFETCH(unsigned, columns);
        QFETCH(bool, shared);
        constexpr std::uint32_t experts = 5;
        constexpr std::uint32_t used = 3;
        constexpr std::uint32_t outputs = 37;
        const auto t = static_cast<TensorType>(type);
        const RandomMatrix weights(t, columns, std::size_t(outputs) * experts, 1);
        const RandomMatrix others(t, columns, std::size_t(outputs) * experts, 2);
        const model::MatrixStack stack { weights.matrix, experts };
        const model::MatrixStack otherStack { others.matrix, experts };
        const std::uint32_t width = shared ? columns : used * columns;
        for (const std::uint32_t rows : { 1U, 7U, 33U }) {
            for (const bool second : { false, true }) {
                DeviceBench bench;
                tests::buildExperts(bench, stack, otherStack, used, width, rows, second);
                COMPARE_WITH_CPU(bench, rows, 5e-5);
            }
        }
    }
};

QTEST_MAIN(TestVulkanLinear)
#include "tst_vulkan_linear.moc"
