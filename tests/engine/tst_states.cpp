// The ops with a recurrent state against double: short_conv, gated_delta. A batch gives what its
// tokens give one by one. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend::cpu;
using model::Activation;
using tests::OpBench;
using tests::randomFloats;

namespace {

/// Tokens cut into batches.
using Cuts = std::vector<std::size_t>;

const std::vector<Cuts> kCuts {
    { 12 }, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 5, 1, 6 }, { 2, 10 }
};
constexpr std::size_t kTokens = 12;

std::vector<float> part(const std::vector<float>& values, std::size_t first, std::size_t count)
{
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return { begin, begin + static_cast<std::ptrdiff_t>(count) };
}

double silu(double x)
{
    return x / (1.0 + std::exp(-x));
}

struct DeltaShape
{
    std::uint32_t keyHeads;
    std::uint32_t valueHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
    bool interleaved;
};

constexpr float kEpsilon = 1e-6F;

/// Inputs of the delta rule for all tokens, in one row: keys, 3 unused numbers, queries, values.
struct DeltaCase
{
    explicit DeltaCase(const DeltaShape& s)
        : shape(s)
        , keys(s.keyHeads * s.keyLength)
        , values(s.valueHeads * s.valueLength)
        , width(2 * keys + 3 + values)
        , in(randomFloats(kTokens * width, 1))
        , alpha(randomFloats(kTokens * s.valueHeads, 2))
        , beta(randomFloats(kTokens * s.valueHeads, 3))
        , a(s.valueHeads)
        , dt(randomFloats(s.valueHeads, 5))
    {
        const auto sizes = randomFloats(s.valueHeads, 4);
        std::transform(sizes.begin(), sizes.end(), a.begin(),
                       [](float x) { return -std::fabs(x) - 0.05F; });
        std::fill_n(in.begin(), s.keyLength, 0.0F); // a key without a direction
    }

    DeltaShape shape;
    std::uint32_t keys;
    std::uint32_t values;
    std::uint32_t width;
    std::vector<float> in;
    std::vector<float> alpha;
    std::vector<float> beta;
    std::vector<float> a;
    std::vector<float> dt;

    /// What the contract of op::GatedDelta says, in double.
    [[nodiscard]] std::vector<double> expected() const
    {
        std::vector<double> out(kTokens * values);
        for (std::uint32_t head = 0; head < shape.valueHeads; ++head) {
            const auto keyHead = shape.interleaved ? head % shape.keyHeads
                                                   : head / (shape.valueHeads / shape.keyHeads);
            std::vector<double> state(shape.keyLength * shape.valueLength); // [key][value]
            for (std::size_t t = 0; t < kTokens; ++t) {
                const float* row = in.data() + t * width;
                const auto key = normed(row + keyHead * shape.keyLength);
                const auto query = normed(row + keys + 3 + keyHead * shape.keyLength);
                const float* value = row + 2 * keys + 3 + head * shape.valueLength;
                const auto at = t * shape.valueHeads + head;
                const double decay =
                    std::exp(a[head] * std::log1p(std::exp(double(alpha[at]) + dt[head])));
                const double rate = 1.0 / (1.0 + std::exp(-double(beta[at])));
                for (std::size_t v = 0; v < shape.valueLength; ++v) {
                    double held = 0.0;
                    for (std::size_t k = 0; k < shape.keyLength; ++k) {
                        state[k * shape.valueLength + v] *= decay;
                        held += state[k * shape.valueLength + v] * key[k];
                    }
                    double& o = out[t * values + head * shape.valueLength + v];
                    for (std::size_t k = 0; k < shape.keyLength; ++k) {
                        state[k * shape.valueLength + v] += key[k] * rate * (value[v] - held);
                        o += state[k * shape.valueLength + v] * query[k]
                            / std::sqrt(double(shape.keyLength));
                    }
                }
            }
        }
        return out;
    }

    /// The op on these tokens, batch after batch.
    [[nodiscard]] std::vector<float> computed(const Kernels& table, const Cuts& cuts) const
    {
        OpBench bench(table, 3, 0);
        auto& e = bench.execution;
        const std::uint32_t stateSize = shape.valueHeads * shape.keyLength * shape.valueLength;
        const std::vector<std::uint32_t> states { 7, stateSize, 5 };
        if (!e.states.allocate(states)) {
            return {};
        }
        const model::Vector rates(a);
        const model::Vector steps(dt);
        std::vector<float> all;
        std::size_t first = 0;
        for (const auto count : cuts) {
            e.rows = count;
            const auto row = bench.slot(width, part(in, first * width, count * width));
            const auto gates = shape.valueHeads;
            const auto al = bench.slot(gates, part(alpha, first * gates, count * gates));
            const auto be = bench.slot(gates, part(beta, first * gates, count * gates));
            const auto out = bench.slot(values);
            run(e,
                model::op::GatedDelta { row, keys + 3, row, 0, row, 2 * keys + 3, al, be, &rates,
                                        &steps, shape.keyHeads, shape.valueHeads, shape.keyLength,
                                        shape.valueLength, shape.interleaved, kEpsilon, 1, out });
            all.insert(all.end(), bench.values(out).begin(), bench.values(out).end());
            first += count;
        }
        // its neighbours are untouched
        const bool clean = std::all_of(e.states.at(0), e.states.at(0) + 7, isZero)
            && std::all_of(e.states.at(2), e.states.at(2) + 5, isZero);
        return clean ? all : std::vector<float>();
    }

private:
    static bool isZero(float x) { return x == 0.0F; }

    [[nodiscard]] std::vector<double> normed(const float* from) const
    {
        std::vector<double> out(from, from + shape.keyLength);
        double squares = 0.0;
        for (const auto x : out) {
            squares += x * x;
        }
        for (auto& x : out) {
            x /= std::max(std::sqrt(squares), double(kEpsilon));
        }
        return out;
    }
};

} // namespace

class TestStates : public QObject
{
    Q_OBJECT

    static std::vector<float> convolved(const Kernels& table, const std::vector<float>& in,
                                        std::uint32_t channels, const model::op::ShortConv& form,
                                        const Cuts& cuts, bool inPlace)
    {
        OpBench bench(table, 3, 0);
        auto& e = bench.execution;
        const auto before = static_cast<std::uint32_t>(form.weight->columns - 1);
        const std::vector<std::uint32_t> states { 3, before * channels, 4 };
        if (!e.states.allocate(states)) {
            return {};
        }
        std::vector<float> all;
        std::size_t first = 0;
        for (const auto count : cuts) {
            e.rows = count;
            auto op = form;
            op.in = bench.slot(channels, part(in, first * channels, count * channels));
            op.out = inPlace ? op.in : bench.slot(channels);
            op.state = 1;
            run(e, op);
            all.insert(all.end(), bench.values(op.out).begin(), bench.values(op.out).end());
            first += count;
        }
        return all;
    }

private Q_SLOTS:
    void shortConv_data() { tests::addKernelTables(); }
    void shortConv()
    {
        for (const std::uint32_t channels : { 5U, 300U, 3000U }) {
            for (const std::size_t taps : { 1U, 3U, 4U }) {
                const tests::RandomMatrix weight(gguf::TensorType::F32, taps, channels, 1);
                const auto biases = randomFloats(channels, 7);
                const model::Vector bias(biases);
                const auto in = randomFloats(kTokens * channels, 2);
                for (const bool biased : { false, true }) {
                    for (const auto function : { Activation::Identity, Activation::Silu }) {
                        std::vector<double> expected;
                        for (std::size_t i = 0; i < in.size(); ++i) {
                            const auto channel = i % channels;
                            const auto weights = weight.decoded(channel);
                            double sum = biased ? double(biases[channel]) : 0.0;
                            for (std::size_t k = 0; k < taps; ++k) {
                                const auto back = (taps - 1 - k) * channels;
                                sum += i >= back ? double(weights[k]) * in[i - back] : 0.0;
                            }
                            expected.push_back(function == Activation::Silu ? silu(sum) : sum);
                        }
                        const model::op::ShortConv form {
                            0, &weight.matrix, biased ? &bias : nullptr, 0, function, 0
                        };
                        for (const auto& cuts : kCuts) {
                            for (const bool inPlace : { false, true }) {
                                const auto got = convolved(tests::kernelTable(), in, channels, form,
                                                           cuts, inPlace);
                                QCOMPARE(got.size(), expected.size());
                                for (std::size_t i = 0; i < got.size(); ++i) {
                                    QVERIFY(tests::near(got[i], expected[i], 2e-6));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    void gatedDelta_data() { tests::addKernelTables(); }
    void gatedDelta()
    {
        for (const auto& shape : { DeltaShape { 1, 1, 16, 16, false },
                                   { 2, 4, 20, 45, false },
                                   { 2, 4, 20, 45, true },
                                   { 4, 8, 32, 64, true } }) {
            const DeltaCase c(shape);
            const auto expected = c.expected();
            for (const auto& cuts : kCuts) {
                const auto got = c.computed(tests::kernelTable(), cuts);
                QCOMPARE(got.size(), expected.size());
                for (std::size_t i = 0; i < got.size(); ++i) {
                    QVERIFY2(tests::near(got[i], expected[i], 2e-6),
                             qPrintable(
                                 QString("%1 instead of %2").arg(double(got[i])).arg(expected[i])));
                }
            }
        }
    }

    void clearing()
    {
        States states;
        QVERIFY(states.allocate({}).has_value());
        QVERIFY(states.bytes().empty());
        const std::vector<std::uint32_t> sizes { 3, 2 };
        QVERIFY(states.allocate(sizes).has_value());
        QCOMPARE(states.bytes().size(), std::size_t(20));
        QCOMPARE(states.at(1) - states.at(0), std::ptrdiff_t(3));
        states.at(1)[1] = 5.0F;
        states.clear();
        QCOMPARE(states.at(1)[1], 0.0F);
    }
};

QTEST_APPLESS_MAIN(TestStates)
#include "tst_states.moc"
