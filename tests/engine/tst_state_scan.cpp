// The selective state spaces of Mamba 1 and 2 against double; a batch gives what its tokens give
// one by one. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend::cpu;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::size_t kTokens = 12;
constexpr std::uint32_t kGap = 3; // unused numbers of a row

struct Shape
{
    std::uint32_t heads;
    std::uint32_t headLength;
    std::uint32_t groups;
    std::uint32_t stateLength;
    bool ownRates; ///< of each number of the state
    bool biased;
};

/// Inputs for all tokens: x, a gap, B, C in one row; steps apart.
struct Case
{
    explicit Case(const Shape& s)
        : shape(s)
        , inner(s.heads * s.headLength)
        , shared(s.groups * s.stateLength)
        , width(inner + kGap + 2 * shared)
        , in(randomFloats(kTokens * width, 1))
        , steps(randomFloats(kTokens * s.heads, 2, 2.0F))
        , bias(randomFloats(s.heads, 3))
        , a(randomFloats(s.ownRates ? std::size_t(s.heads) * s.stateLength : s.heads, 4))
        , d(randomFloats(s.heads, 5))
    {
        std::ranges::transform(a, a.begin(), [](float x) { return -std::fabs(x) - 0.01F; });
        steps[0] = 90.0F; // where exp overflows
    }

    [[nodiscard]] double rate(std::size_t head, std::size_t n) const
    {
        return a[shape.ownRates ? head * shape.stateLength + n : head];
    }

    [[nodiscard]] double stepAt(std::size_t t, std::size_t head) const
    {
        const double x = double(steps[t * shape.heads + head]) + (shape.biased ? bias[head] : 0.0F);
        return x > 40.0 ? x : std::log1p(std::exp(x));
    }

    /// What the contract of op::StateScan says.
    [[nodiscard]] std::vector<double> expected() const
    {
        std::vector<double> out(kTokens * inner);
        for (std::size_t i = 0; i < inner; ++i) {
            const auto head = i / shape.headLength;
            const auto group = head / (shape.heads / shape.groups);
            std::vector<double> state(shape.stateLength);
            for (std::size_t t = 0; t < kTokens; ++t) {
                const float* row = in.data() + t * width;
                const float* b = row + inner + kGap + group * shape.stateLength;
                const double step = stepAt(t, head);
                double sum = double(d[head]) * row[i];
                for (std::size_t n = 0; n < shape.stateLength; ++n) {
                    state[n] = state[n] * std::exp(step * rate(head, n)) + step * row[i] * b[n];
                    sum += state[n] * b[shared + n];
                }
                out[t * inner + i] = sum;
            }
        }
        return out;
    }

    [[nodiscard]] std::vector<float> computed(const Kernels& table,
                                              const std::vector<std::size_t>& cuts) const
    {
        OpBench bench(table, 3, 0);
        auto& e = bench.execution;
        const std::vector<std::uint32_t> states { 7, inner * shape.stateLength, 5 };
        if (!e.states.allocate(states)) {
            return {};
        }
        const model::Vector biases(bias);
        const model::Vector rates(a);
        const model::Vector skips(d);
        std::vector<float> all;
        std::size_t first = 0;
        for (const auto count : cuts) {
            e.rows = count;
            const auto part = [&](const std::vector<float>& from, std::size_t columns) {
                return std::vector<float>(
                    from.begin() + static_cast<std::ptrdiff_t>(first * columns),
                    from.begin() + static_cast<std::ptrdiff_t>((first + count) * columns));
            };
            const auto row = bench.slot(width, part(in, width));
            const auto step = bench.slot(shape.heads, part(steps, shape.heads));
            const auto out = bench.slot(inner);
            run(e,
                model::op::StateScan { row, 0, row, inner + kGap, row, inner + kGap + shared, step,
                                       shape.biased ? &biases : nullptr, &rates, &skips,
                                       shape.heads, shape.headLength, shape.groups,
                                       shape.stateLength, 1, out });
            all.insert(all.end(), bench.values(out).begin(), bench.values(out).end());
            first += count;
        }
        const auto isZero = [](float x) { return x == 0.0F; };
        const bool clean = std::all_of(e.states.at(0), e.states.at(0) + 7, isZero)
            && std::all_of(e.states.at(2), e.states.at(2) + 5, isZero);
        return clean ? all : std::vector<float>(); // its neighbours are untouched
    }

    Shape shape;
    std::uint32_t inner;
    std::uint32_t shared;
    std::uint32_t width;
    std::vector<float> in;
    std::vector<float> steps;
    std::vector<float> bias;
    std::vector<float> a;
    std::vector<float> d;
};

} // namespace

class TestStateScan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stateScan_data() { tests::addKernelTables(); }
    void stateScan()
    {
        const std::vector<std::vector<std::size_t>> allCuts {
            { 12 }, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 5, 1, 6 }
        };
        for (const auto& shape :
             { Shape { 6, 8, 2, 16, false, true }, Shape { 70, 1, 1, 5, true, false },
               Shape { 4, 33, 4, 7, false, false } }) {
            const Case test(shape);
            const auto expected = test.expected();
            for (const auto& cuts : allCuts) {
                const auto computed = test.computed(tests::kernelTable(), cuts);
                QCOMPARE(computed.size(), expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    QVERIFY2(tests::near(computed[i], expected[i],
                                         3e-6 * std::max(1.0, std::fabs(expected[i]))),
                             qPrintable(QString("%1: %2 instead of %3")
                                            .arg(i)
                                            .arg(computed[i])
                                            .arg(expected[i])));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestStateScan)
#include "tst_state_scan.moc"
