// Ops with a recurrent state on a Vulkan device against the CPU: in one run, in many, and taken up
// again. SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

#include <cstring>

using namespace engine;
using namespace tests;
using model::Activation;

namespace {

constexpr double kTolerance = 3e-5; // the exponential function of a device has some 1e-6 a token

/// Negative numbers, as rates of decay are.
std::vector<float> rates(std::size_t n, unsigned seed)
{
    auto numbers = randomFloats(n, seed);
    std::ranges::transform(numbers, numbers.begin(), [](float x) { return -std::fabs(x) - 0.05F; });
    return numbers;
}

struct ConvShape
{
    std::uint32_t channels;
    std::uint32_t kernel;
    bool biased;
    bool inPlace;
    Activation function;
};

struct DeltaShape
{
    std::uint32_t keyHeads;
    std::uint32_t valueHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
    bool interleaved;
};

struct ScanShape
{
    std::uint32_t heads;
    std::uint32_t headLength;
    std::uint32_t groups;
    std::uint32_t stateLength;
    bool ownRates;
    bool biased;
};

/// Gives the graph an op between states that nobody may touch, and shows its output.
class StatesBench : public DeviceBench
{
public:
    explicit StatesBench(std::size_t rows)
        : m_rows(rows)
    {
        (void)graph.state(7);
    }

    void conv(const ConvShape& s)
    {
        const auto in = slot(s.channels, randomFloats(m_rows * s.channels, 1));
        const auto out = s.inPlace ? in : slot(s.channels);
        const auto* weight = floats(s.kernel, s.channels, 2);
        const auto* bias = s.biased ? vector(randomFloats(s.channels, 3)) : nullptr;
        const auto state = graph.state((s.kernel - 1) * s.channels);
        add(model::op::ShortConv { in, weight, bias, state, s.function, out });
        finish(out);
    }

    void delta(const DeltaShape& s)
    {
        const auto keys = s.keyHeads * s.keyLength;
        const auto values = s.valueHeads * s.valueLength;
        auto numbers = randomFloats(m_rows * (2 * keys + 4 + values), 1);
        std::fill_n(numbers.begin(), s.keyLength, 0.0F); // a key without a direction
        const auto row = slot(2 * keys + 4 + values, numbers);
        const auto alpha = slot(s.valueHeads, randomFloats(m_rows * s.valueHeads, 2, 3.0F));
        const auto beta = slot(s.valueHeads, randomFloats(m_rows * s.valueHeads, 3));
        const auto out = slot(values);
        const auto state = graph.state(s.valueHeads * s.keyLength * s.valueLength);
        add(model::op::GatedDelta { row, keys + 4, row, 0, row, 2 * keys + 4, alpha, beta,
                                    vector(rates(s.valueHeads, 4)),
                                    vector(randomFloats(s.valueHeads, 5)), s.keyHeads, s.valueHeads,
                                    s.keyLength, s.valueLength, s.interleaved, 1e-6F, state, out });
        finish(out);
    }

    void scan(const ScanShape& s)
    {
        const auto inner = s.heads * s.headLength;
        const auto shared = s.groups * s.stateLength;
        const auto width = inner + 2 * shared;
        const auto row = slot(width, randomFloats(m_rows * width, 1));
        const auto step = slot(s.heads, randomFloats(m_rows * s.heads, 2));
        const auto out = slot(inner);
        const auto state = graph.state(inner * s.stateLength);
        add(model::op::StateScan {
            .x = row,
            .xOffset = 0,
            .b = row,
            .bOffset = inner,
            .c = row,
            .cOffset = inner + shared,
            .step = step,
            .stepBias = s.biased ? vector(randomFloats(s.heads, 3)) : nullptr,
            .a = vector(rates(s.ownRates ? std::size_t(s.heads) * s.stateLength : s.heads, 4)),
            .d = vector(randomFloats(s.heads, 5)),
            .heads = s.heads,
            .headLength = s.headLength,
            .groups = s.groups,
            .stateLength = s.stateLength,
            .state = state,
            .out = out });
        finish(out);
    }

private:
    void finish(model::Slot out)
    {
        (void)graph.state(5);
        show(out);
    }

    const model::Matrix* floats(std::uint32_t columns, std::uint32_t rows, unsigned seed)
    {
        const auto numbers = randomFloats(std::size_t(columns) * rows, seed);
        auto& bytes = m_weights.emplace_back(numbers.size() * sizeof(float) + 64);
        std::memcpy(bytes.data(), numbers.data(), numbers.size() * sizeof(float));
        return matrix({ gguf::TensorType::F32, columns, rows, columns * sizeof(float),
                        std::span(bytes).first(numbers.size() * sizeof(float)) });
    }

    std::size_t m_rows;
    std::deque<std::vector<std::byte>> m_weights;
};

Result<void> runTokens(backend::Runner& runner, std::size_t first, std::size_t count)
{
    std::vector<text::TokenId> tokens(count);
    std::iota(tokens.begin(), tokens.end(), static_cast<text::TokenId>(first));
    return runner.run({ tokens, static_cast<std::uint32_t>(first), backend::Outputs::All }, {});
}

std::vector<float> stateOf(const backend::Runner& runner)
{
    std::vector<float> floats(runner.stateBytes() / sizeof(float));
    runner.saveState(std::as_writable_bytes(std::span(floats)));
    return floats;
}

/// States after 6 tokens are the CPU's; both go on from the state of the other; the first tokens
/// once more forget all.
void compareStates(const DeviceBench& bench, double tolerance)
{
    auto options = bench.options;
    options.contextLength = 64;
    auto device = testDevice()->prepare(bench.graph, options);
    auto cpu = backend::cpuBackend().prepare(bench.graph, options);
    QVERIFY(device && cpu);
    QVERIFY(runTokens(**device, 0, 6));
    QVERIFY(runTokens(**cpu, 0, 6));
    const std::vector<float> first((*device)->logits().begin(), (*device)->logits().end());
    const auto state = stateOf(**device);
    QVERIFY(largestDifference(state, stateOf(**cpu)) <= tolerance);
    // the states before and behind the op's are untouched
    QVERIFY(std::all_of(state.begin(), state.begin() + 7, [](float x) { return x == 0.0F; }));
    QVERIFY(std::all_of(state.end() - 5, state.end(), [](float x) { return x == 0.0F; }));

    QVERIFY(runTokens(**device, 6, 3)); // and away from there again
    const auto cpuState = stateOf(**cpu);
    (*device)->restoreState(std::as_bytes(std::span(cpuState)));
    QVERIFY(largestDifference(stateOf(**device), cpuState) == 0.0);
    QVERIFY(runTokens(**device, 6, 1));
    QVERIFY(runTokens(**cpu, 6, 1));
    const auto logits = [](backend::Runner& runner) {
        return std::vector<float>(runner.logits().begin(), runner.logits().end());
    };
    QVERIFY(largestDifference(logits(**device), logits(**cpu)) <= tolerance);

    QVERIFY(runTokens(**device, 0, 6));
    QCOMPARE(largestDifference(logits(**device), first), 0.0);
    QVERIFY(testDevice()->complaints().empty());
}

} // namespace

class TestVulkanStates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void shortConv_data()
    {
        QTest::addColumn<unsigned>("channels");
        QTest::addColumn<unsigned>("kernel");
        QTest::addColumn<bool>("biased");
        QTest::addColumn<bool>("inPlace");
        QTest::addColumn<int>("function");
        QTest::newRow("mamba") << 64U << 4U << true << true << int(Activation::Silu);
        QTest::newRow("lfm2") << 96U << 3U << false << false << int(Activation::Identity);
        QTest::newRow("one channel") << 1U << 4U << true << true << int(Activation::Silu);
        QTest::newRow("odd") << 21U << 5U << false << true << int(Activation::Sigmoid);
        QTest::newRow("pairs") << 577U << 2U << true << false << int(Activation::Silu);
        QTest::newRow("no state") << 12U << 1U << true << false << int(Activation::Silu);
    }
    void shortConv()
    {
        QFETCH(unsigned, channels);
        QFETCH(unsigned, kernel);
        QFETCH(bool, biased);
        QFETCH(bool, inPlace);
        QFETCH(int, function);
        for (const std::size_t rows : { 1U, 10U, 70U }) {
            StatesBench bench(rows);
            bench.conv({ channels, kernel, biased, inPlace, Activation(function) });
            COMPARE_WITH_CPU(bench, rows, 2e-6);
            if (rows == 10) {
                compareStates(bench, 2e-6);
            }
        }
    }

    /// Padding stays 0 where the function of 0 is not.
    void shortConvPadding()
    {
        StatesBench bench(5);
        bench.conv({ 21, 4, true, false, Activation::Sigmoid });
        const auto out = bench.slot(4);
        bench.add(model::op::CopyPieces { bench.graph.logits, { 21, 0 }, out, {}, 1, 3 });
        bench.show(out);
        const auto rest = bench.run(*testDevice(), 5, 5);
        QCOMPARE(rest.size(), 20U);
        QVERIFY(std::ranges::all_of(rest, [](float x) { return x == 0.0F; }));
    }

    void gatedDelta_data()
    {
        QTest::addColumn<unsigned>("keyHeads");
        QTest::addColumn<unsigned>("valueHeads");
        QTest::addColumn<unsigned>("keyLength");
        QTest::addColumn<unsigned>("valueLength");
        QTest::addColumn<bool>("interleaved");
        QTest::newRow("qwen") << 2U << 4U << 128U << 128U << false;
        QTest::newRow("interleaved") << 2U << 6U << 64U << 32U << true;
        QTest::newRow("small") << 1U << 1U << 1U << 1U << false;
        QTest::newRow("odd") << 3U << 3U << 21U << 7U << false;
        QTest::newRow("long keys") << 1U << 2U << 260U << 12U << false;
    }
    void gatedDelta()
    {
        QFETCH(unsigned, keyHeads);
        QFETCH(unsigned, valueHeads);
        QFETCH(unsigned, keyLength);
        QFETCH(unsigned, valueLength);
        QFETCH(bool, interleaved);
        for (const std::size_t rows : { 1U, 10U, 70U }) {
            StatesBench bench(rows);
            bench.delta({ keyHeads, valueHeads, keyLength, valueLength, interleaved });
            COMPARE_WITH_CPU(bench, rows, kTolerance);
            if (rows == 10) {
                compareStates(bench, kTolerance);
            }
        }
    }

    void stateScan_data()
    {
        QTest::addColumn<unsigned>("heads");
        QTest::addColumn<unsigned>("headLength");
        QTest::addColumn<unsigned>("groups");
        QTest::addColumn<unsigned>("stateLength");
        QTest::addColumn<bool>("ownRates");
        QTest::addColumn<bool>("biased");
        QTest::newRow("mamba") << 100U << 1U << 1U << 16U << true << false;
        QTest::newRow("mamba 2") << 6U << 64U << 2U << 128U << false << true;
        QTest::newRow("short states of heads") << 4U << 8U << 2U << 32U << false << true;
        QTest::newRow("one number") << 1U << 1U << 1U << 1U << false << false;
        QTest::newRow("odd, short") << 3U << 5U << 3U << 7U << true << true;
        QTest::newRow("odd, long") << 3U << 5U << 1U << 41U << true << true;
        QTest::newRow("long") << 2U << 6U << 1U << 256U << false << true;
    }
    void stateScan()
    {
        QFETCH(unsigned, heads);
        QFETCH(unsigned, headLength);
        QFETCH(unsigned, groups);
        QFETCH(unsigned, stateLength);
        QFETCH(bool, ownRates);
        QFETCH(bool, biased);
        for (const std::size_t rows : { 1U, 10U, 70U }) {
            StatesBench bench(rows);
            bench.scan({ heads, headLength, groups, stateLength, ownRates, biased });
            COMPARE_WITH_CPU(bench, rows, kTolerance);
            if (rows == 10) {
                compareStates(bench, kTolerance);
            }
        }
    }
};

QTEST_MAIN(TestVulkanStates)
#include "tst_vulkan_states.moc"
