// Ops that touch numbers one by one on a Vulkan device against the CPU.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using model::Activation;

namespace {

constexpr std::uint32_t kWidths[] = { 1, 3, 21, 64, 577 };
constexpr std::size_t kRows[] = { 1, 5, 70 };
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Ordinary numbers of both signs and sizes, with some far out.
std::vector<float> inputs(std::size_t n, unsigned seed)
{
    auto numbers = randomFloats(n, seed, 3.0F);
    for (std::size_t i = 0; i < n; i += 7) {
        numbers[i] *= 1e-3F;
    }
    constexpr float extremes[] = { 0.0F,  1e-6F,  -1e-6F, 0.19F,   -0.21F, 12.5F,
                                   90.0F, -90.0F, 200.0F, -200.0F, 1e4F,   -1e4F };
    for (std::size_t i = 0; i < std::size(extremes) && 3 * i + 1 < n; ++i) {
        numbers[3 * i + 1] = extremes[i];
    }
    return numbers;
}

/// The padding of a slot's rows on the device, which must be 0. (On the CPU there is none.)
std::vector<float> padding(DeviceBench& bench, model::Slot slot, std::size_t rows)
{
    const auto width = bench.graph.slotWidths[static_cast<std::size_t>(slot)];
    const auto count = (4 - width % 4) % 4;
    const auto out = bench.slot(4);
    bench.add(model::op::CopyPieces { slot, { width, 0 }, out, {}, 1, count });
    bench.show(out);
    return bench.run(*testDevice(), rows, rows);
}

} // namespace

class TestVulkanNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void activate_data()
    {
        QTest::addColumn<int>("function");
        for (int f = 0; f <= int(Activation::Softplus); ++f) {
            QTest::addRow("%d", f) << f;
        }
    }
    void activate()
    {
        QFETCH(int, function);
        for (const auto width : kWidths) {
            for (const auto rows : kRows) {
                DeviceBench bench;
                const auto values = bench.slot(width, inputs(rows * width, width));
                bench.add(model::op::Activate { values, Activation(function) });
                bench.show(values);
                COMPARE_WITH_CPU(bench, rows, 1e-6);
            }
        }
    }

    void activateNearZero_data() { activate_data(); }
    /// Where functions go through 0 the error is small beside the value.
    void activateNearZero()
    {
        QFETCH(int, function);
        if (function == int(Activation::Softplus) || function == int(Activation::Sigmoid)) {
            QSKIP("is not 0 at 0");
        }
        DeviceBench bench;
        std::vector<float> numbers;
        for (float x = 1e-7F; x < 0.5F; x *= 1.1F) {
            numbers.push_back(x);
            numbers.push_back(-x);
        }
        const auto width = static_cast<std::uint32_t>(numbers.size());
        const auto values = bench.slot(width, numbers);
        bench.add(model::op::Activate { values, Activation(function) });
        bench.add(model::op::Scale { values, 1e12F }); // differences count relatively
        bench.show(values);
        COMPARE_WITH_CPU(bench, 1, 2e-6);
    }

    void activateInfinity_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<bool>("below"); // also -inf has a value
        QTest::newRow("silu") << int(Activation::Silu) << false;
        QTest::newRow("gelu") << int(Activation::Gelu) << false;
        QTest::newRow("geluErf") << int(Activation::GeluErf) << false;
        QTest::newRow("relu") << int(Activation::Relu) << true;
        QTest::newRow("sigmoid") << int(Activation::Sigmoid) << true;
        QTest::newRow("tanh") << int(Activation::Tanh) << true;
    }
    void activateInfinity()
    {
        QFETCH(int, function);
        QFETCH(bool, below);
        DeviceBench bench;
        const auto values = bench.slot(2, { kInfinity, below ? -kInfinity : -3e38F });
        bench.add(model::op::Activate { values, Activation(function) });
        bench.show(values);
        const auto expected = bench.run(backend::cpuBackend(), 1, 1);
        const auto actual = bench.run(*testDevice(), 1, 1);
        QCOMPARE(actual.size(), 2U);
        QCOMPARE(actual[0], expected[0]);
        QVERIFY(std::fabs(actual[1] - expected[1]) <= 1e-6F);
    }

    void paddingStaysZero_data() { activate_data(); }
    void paddingStaysZero()
    {
        QFETCH(int, function);
        for (const std::uint32_t width : { 1U, 3U, 21U, 577U }) {
            DeviceBench bench;
            const auto values = bench.slot(width, inputs(5 * width, width));
            const auto up = bench.slot(width, inputs(5 * width, width + 1));
            const auto one = bench.slot(1, inputs(5, 3));
            bench.add(model::op::Activate { values, Activation(function) });
            bench.add(model::op::Gate { values, up, Activation(function) });
            bench.add(model::op::Gate { values, up, Activation(function), 7.0F });
            bench.add(model::op::Gate { values, one, Activation(function) });
            bench.add(model::op::Xielu { values, 0.8F, 0.9F, 0.5F, -1e-6F });
            bench.add(model::op::ScaleBy { values, bench.vector({ 2.0F }) });
            const auto rest = padding(bench, values, 5);
            QCOMPARE(rest.size(), 20U);
            QVERIFY(std::ranges::all_of(rest, [](float x) { return x == 0.0F; }));
        }
    }

    void gate_data() { activate_data(); }
    void gate()
    {
        QFETCH(int, function);
        for (const auto width : kWidths) {
            for (const bool isShared : { false, true }) {
                DeviceBench bench;
                auto numbers = inputs(5 * width, width);
                const auto gate = bench.slot(width, numbers);
                const auto upWidth = isShared ? 1 : width;
                const auto up = bench.slot(upWidth, randomFloats(5 * upWidth, 9));
                bench.add(model::op::Gate { gate, up, Activation(function) });
                bench.show(gate);
                COMPARE_WITH_CPU(bench, 5, 2e-6);
            }
        }
    }

    void limitedGate()
    {
        for (const auto width : kWidths) {
            for (const bool isShared : { false, true }) {
                DeviceBench bench;
                const auto upWidth = isShared ? 1 : width;
                auto ups = inputs(70 * upWidth, width + 1);
                ups[0] = kInfinity;
                const auto gate = bench.slot(width, inputs(70 * width, width));
                const auto up = bench.slot(upWidth, ups);
                bench.add(model::op::Gate { gate, up, Activation::Silu, 7.0F });
                bench.show(gate);
                COMPARE_WITH_CPU(bench, 70, 2e-6);
            }
        }
    }

    void scaleClampCap()
    {
        for (const auto width : kWidths) {
            for (const auto rows : kRows) {
                DeviceBench bench;
                auto numbers = inputs(rows * width, width);
                numbers.back() = -kInfinity;
                const auto values = bench.slot(width, numbers);
                bench.add(model::op::Scale { values, 0.37F });
                bench.add(model::op::Clamp { values, 50.0F });
                bench.add(model::op::SoftCap { values, 30.0F });
                bench.show(values);
                COMPARE_WITH_CPU(bench, rows, 1e-6);
            }
        }
    }

    void xielu()
    {
        for (const auto width : kWidths) {
            for (const float epsilon : { -1e-6F, 0.5F }) {
                DeviceBench bench;
                const auto values = bench.slot(width, inputs(5 * width, width));
                bench.add(model::op::Xielu { values, 0.81F, 0.93F, 0.5F, epsilon });
                bench.show(values);
                COMPARE_WITH_CPU(bench, 5, 1e-6);
            }
        }
    }

    void scaleBy()
    {
        for (const auto width : kWidths) {
            for (const bool isOne : { false, true }) {
                DeviceBench bench;
                const auto values = bench.slot(width, inputs(70 * width, width));
                bench.add(model::op::ScaleBy { values,
                                               bench.vector(randomFloats(isOne ? 1 : width, 5)) });
                bench.show(values);
                COMPARE_WITH_CPU(bench, 70, 0.0);
            }
        }
    }

    void scaleByPosition_data()
    {
        QTest::addColumn<float>("span");
        QTest::addColumn<float>("offset");
        QTest::addColumn<unsigned>("position");
        QTest::newRow("begin") << 8192.0F << 1.0F << 0U;
        QTest::newRow("border") << 8192.0F << 1.0F << 8160U;
        QTest::newRow("many") << 3.0F << 0.0F << 1000U;
        QTest::newRow("far") << 16384.0F << 0.0F << 131040U;
    }
    void scaleByPosition()
    {
        QFETCH(float, span);
        QFETCH(float, offset);
        QFETCH(unsigned, position);
        DeviceBench bench;
        const auto values = bench.slot(21, inputs(std::size_t(70) * 21, 1));
        bench.add(model::op::ScaleByPosition { values, 0.1F, span, offset });
        bench.show(values);
        const auto expected = bench.run(backend::cpuBackend(), 70, 70, position);
        QVERIFY(largestDifference(bench.run(*testDevice(), 70, 70, position), expected) <= 1e-6);
        QVERIFY(largestDifference(bench.run(*testDevice(), 70, 1, position), expected) <= 1e-6);
    }
};

QTEST_MAIN(TestVulkanNumbers)
#include "tst_vulkan_numbers.moc"
