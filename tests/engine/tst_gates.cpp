// Activations and gates of the CPU backend against double.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend::cpu;
using model::Activation;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::size_t kRowCounts[] = { 1, 3, 29 };
constexpr Activation kAll[] = { Activation::Identity,    Activation::Silu,      Activation::Gelu,
                                Activation::GeluErf,     Activation::GeluQuick, Activation::Relu,
                                Activation::ReluSquared, Activation::Sigmoid,   Activation::Tanh,
                                Activation::Softplus };

double exact(Activation function, double x)
{
    constexpr double sqrt2OverPi = 0.79788456080286535588;
    switch (function) {
    case Activation::Identity:
        return x;
    case Activation::Silu:
        return x / (1.0 + std::exp(-x));
    case Activation::Gelu:
        return x / 2.0 * (1.0 + std::tanh(sqrt2OverPi * (x + 0.044715 * x * x * x)));
    case Activation::GeluErf:
        return x / 2.0 * std::erfc(-x / std::sqrt(2.0));
    case Activation::GeluQuick:
        return x / (1.0 + std::exp(-1.702 * x));
    case Activation::Relu:
        return x > 0.0 ? x : 0.0;
    case Activation::ReluSquared:
        return x > 0.0 ? x * x : 0.0;
    case Activation::Sigmoid:
        return 1.0 / (1.0 + std::exp(-x));
    case Activation::Tanh:
        return std::tanh(x);
    case Activation::Softplus:
        return x > 40.0 ? x : std::log1p(std::exp(x));
    }
    return 0.0;
}

/// Ordinary numbers, and some that overflow or underflow in a careless formula.
std::vector<float> inputs(std::size_t n, unsigned seed)
{
    auto numbers = randomFloats(n, seed, 3.0F);
    constexpr float extremes[] = { 0.0F, 1e-6F, -1e-6F, 90.0F, -90.0F, 200.0F, -200.0F, 1e9F };
    std::copy(std::begin(extremes), std::end(extremes), numbers.begin());
    return numbers;
}

/// Of a function whose argument is off by a rounding.
double tolerance(double expected, double x)
{
    return 2e-6 * std::fabs(expected) + 1e-7 * std::min(std::fabs(x), 10.0) + 1e-30;
}

QString named(double value, double x, double expected)
{
    return QString("%1 of %2 instead of %3").arg(value).arg(x).arg(expected);
}

} // namespace

class TestGates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void activate_data() { tests::addKernelTables(); }
    void activate()
    {
        for (const auto function : kAll) {
            for (const auto rows : kRowCounts) {
                for (const std::uint32_t width : { 8U, 77U, 901U }) {
                    const auto in = inputs(rows * width, 1);
                    OpBench bench(tests::kernelTable(), 3, rows);
                    const auto values = bench.slot(width, in);
                    run(bench.execution, model::op::Activate { values, function });
                    for (std::size_t i = 0; i < in.size(); ++i) {
                        const auto expected = exact(function, in[i]);
                        const auto got = bench.values(values)[i];
                        QVERIFY2(tests::near(got, expected, tolerance(expected, in[i])),
                                 qPrintable(named(got, in[i], expected)));
                    }
                }
            }
        }
    }

    void gate_data() { tests::addKernelTables(); }
    void gate()
    {
        for (const auto function : kAll) {
            for (const auto rows : kRowCounts) {
                for (const std::uint32_t width : { 77U, 901U }) {
                    const auto in = inputs(rows * width, 2);
                    const auto factors = randomFloats(rows * width, 3);
                    OpBench bench(tests::kernelTable(), 3, rows);
                    const auto values = bench.slot(width, in);
                    const auto up = bench.slot(width, factors);
                    run(bench.execution, model::op::Gate { values, up, function });
                    for (std::size_t i = 0; i < in.size(); ++i) {
                        const auto expected = exact(function, in[i]) * factors[i];
                        const auto got = bench.values(values)[i];
                        QVERIFY2(
                            tests::near(got, expected, tolerance(expected, in[i] * factors[i])),
                            qPrintable(named(got, in[i], expected)));
                    }
                    QCOMPARE(bench.values(up), factors);
                }
            }
        }
    }

    // A shared expert's gate, say: one number a token.
    void oneNumberForTheRow_data() { tests::addKernelTables(); }
    void oneNumberForTheRow()
    {
        constexpr std::uint32_t width = 40;
        for (const auto rows : kRowCounts) {
            const auto in = inputs(rows * width, 4);
            const auto factors = randomFloats(rows, 5);
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto values = bench.slot(width, in);
            const auto up = bench.slot(1, factors);
            run(bench.execution, model::op::Gate { values, up, Activation::Identity });
            for (std::size_t i = 0; i < in.size(); ++i) {
                QCOMPARE(bench.values(values)[i], in[i] * factors[i / width]);
            }
        }
    }

    void limited_data() { tests::addKernelTables(); }
    void limited()
    {
        constexpr std::uint32_t width = 61;
        constexpr float limit = 1.5F;
        for (const auto rows : kRowCounts) {
            for (const std::uint32_t upWidth : { width, 1U }) { // one number serves a whole row
                const auto in = inputs(rows * width, 6);
                const auto factors = randomFloats(rows * upWidth, 7, 2.0F);
                OpBench bench(tests::kernelTable(), 3, rows);
                const auto values = bench.slot(width, in);
                const auto up = bench.slot(upWidth, factors);
                // whatever the function is
                run(bench.execution, model::op::Gate { values, up, Activation::Gelu, limit });
                for (std::size_t i = 0; i < in.size(); ++i) {
                    const double gate = std::min(double(in[i]), 1.5);
                    const double own = factors[i * upWidth / width];
                    const double factor = std::clamp(own, -1.5, 1.5) + 1.0;
                    const double expected = gate / (1.0 + std::exp(-1.702 * gate)) * factor;
                    const auto got = bench.values(values)[i];
                    QVERIFY2(tests::near(got, expected, tolerance(expected, gate)),
                             qPrintable(named(got, in[i], expected)));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestGates)
#include "tst_gates.moc"
