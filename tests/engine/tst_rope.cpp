// Rotary positions against the papers' formulas with complex numbers in double: plain, linear,
// divided frequencies, YaRN. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

#include <complex>
#include <numbers>
#include <numeric>

using namespace engine;
using namespace engine::backend::cpu;
using model::RopePairs;
using model::RopeParameters;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::uint32_t kHeads = 3;
constexpr std::uint32_t kContext = 8192; // of the session

/// θ of a pair: base^(-2i/d). RoFormer (arXiv 2104.09864), equation 15.
double theta(const RopeParameters& p, std::uint32_t pair)
{
    return std::exp(-2.0 * pair / p.dimensions * std::log(double(p.base)));
}

/// Full turns of a pair within the original context: L θ / 2π. YaRN (arXiv 2309.00071), section
/// 3.2.
double turns(const RopeParameters& p, std::uint32_t pair)
{
    return p.originalContext * theta(p, pair) / (2.0 * std::numbers::pi);
}

/// YaRN's share of the untouched frequency. The published code ramps over pair numbers: from the
/// last pair that makes at least betaFast turns to the first that makes at most betaSlow.
double extrapolated(const RopeParameters& p, std::uint32_t pair)
{
    std::uint32_t last = 0;
    while (turns(p, last + 1) >= p.betaFast) {
        ++last;
    }
    std::uint32_t first = 0;
    while (turns(p, first) > p.betaSlow && first < p.dimensions - 1) {
        ++first;
    }
    if (pair <= last) {
        return 1.0;
    }
    return pair >= first ? 0.0 : 1.0 - double(pair - last) / double(first - last);
}

/// Angle and length of the rotation of one pair.
std::complex<double> rotation(const RopeParameters& p, double position, std::uint32_t pair)
{
    const bool isLong = !p.longFactors.empty() && kContext > p.originalContext;
    const auto factors = isLong ? p.longFactors : p.factors;
    double frequency = theta(p, pair) / (factors.empty() ? 1.0 : factors[pair]);
    double length = p.attentionFactor;
    if (p.yarn) {
        const double share = extrapolated(p, pair) * p.extrapolation;
        frequency = (1.0 - share) * frequency * p.scale + share * frequency;
        length *= 0.1 * std::log(1.0 / p.scale) + 1.0; // equation 15
    } else {
        frequency *= p.scale; // position interpolation, arXiv 2306.15595
    }
    return std::polar(length, position * frequency);
}

/// The two places of a pair in its head.
std::pair<std::size_t, std::size_t> placesOf(const RopeParameters& p, std::size_t pair)
{
    return p.pairs == RopePairs::Halves ? std::pair(pair, pair + p.dimensions / 2)
                                        : std::pair(2 * pair, 2 * pair + 1);
}

/// The largest difference over all heads and rows, rotated dimensions and the rest.
double largestError(const Kernels& table, const RopeParameters& p, std::uint32_t headLength,
                    std::size_t rows, std::uint32_t position, int threads, std::uint32_t offset = 0)
{
    const auto width = kHeads * headLength;
    const auto before = randomFloats(rows * width, 1);
    OpBench bench(table, threads, rows, position);
    bench.execution.contextLength = kContext;
    const auto query = bench.slot(width, before);
    const auto key = bench.slot(width, before); // the second op re-uses the table of the first
    run(bench.execution, model::op::Rope { query, kHeads, headLength, &p, offset });
    run(bench.execution, model::op::Rope { key, kHeads, headLength, &p, offset });
    if (bench.values(query) != bench.values(key)) {
        return 1e9;
    }
    double largest = 0.0;
    const auto note = [&](double difference) {
        largest = std::fabs(difference) <= largest ? largest : std::fabs(difference);
    };
    for (std::size_t at = 0; at < before.size(); at += headLength) {
        const float* in = before.data() + at + offset;
        const float* out = bench.values(query).data() + at + offset;
        const double place = position + double(at / width);
        for (std::uint32_t i = 0; i < p.dimensions / 2; ++i) {
            const auto [first, second] = placesOf(p, i);
            const auto expected =
                std::complex<double>(in[first], in[second]) * rotation(p, place, i);
            note(out[first] - expected.real());
            note(out[second] - expected.imag());
        }
        for (std::size_t i = 0; i < headLength; ++i) {
            const bool rotated = i >= offset && i < offset + p.dimensions;
            note(rotated || bench.values(query)[at + i] == before[at + i] ? 0.0 : 1e9);
        }
    }
    return largest;
}

RopeParameters plain(std::uint32_t dimensions)
{
    RopeParameters p;
    p.dimensions = dimensions;
    return p;
}

void check(const RopeParameters& p, std::uint32_t headLength, std::uint32_t offset = 0)
{
    for (const std::size_t rows : { 1U, 3U, 9U, 33U }) {
        for (const std::uint32_t position : { 0U, 1U, 500U, 100'000U }) {
            for (const int threads : { 1, 3 }) {
                const auto error = largestError(tests::kernelTable(), p, headLength, rows, position,
                                                threads, offset);
                QVERIFY2(
                    error < 2e-6,
                    qPrintable(
                        QString("%1 rows at %2: off by %3").arg(rows).arg(position).arg(error)));
            }
        }
    }
}

} // namespace

class TestRope : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rotatesAllDimensions_data() { tests::addKernelTables(); }
    void rotatesAllDimensions()
    {
        check(plain(64), 64);
        auto p = plain(64);
        p.base = 500'000.0F;
        check(p, 64);
    }

    void rotatesTheFirstDimensions_data() { tests::addKernelTables(); }
    void rotatesTheFirstDimensions()
    {
        check(plain(16), 20);
        check(plain(2), 5);
        check(plain(0), 8);
    }

    void linearScaling_data() { tests::addKernelTables(); }
    void linearScaling()
    {
        auto p = plain(32);
        p.scale = 0.25F;
        check(p, 32);
    }

    void dividedFrequencies_data() { tests::addKernelTables(); }
    void dividedFrequencies()
    {
        auto p = plain(8);
        const std::vector<float> factors { 1.0F, 1.5F, 4.0F, 32.0F };
        p.factors = factors;
        check(p, 8);
    }

    // LongRoPE: one set of divisors up to the original context, another one for longer ones.
    void longContexts_data() { tests::addKernelTables(); }
    void longContexts()
    {
        auto p = plain(8);
        p.pairs = RopePairs::Halves;
        const std::vector<float> brief { 1.0F, 1.5F, 4.0F, 32.0F };
        const std::vector<float> extended { 2.0F, 2.5F, 9.0F, 64.0F };
        p.factors = brief;
        p.longFactors = extended;
        p.attentionFactor = 1.19F;
        for (const std::uint32_t original : { kContext - 1, kContext }) {
            p.originalContext = original;
            check(p, 10);
        }
    }

    void halves_data() { tests::addKernelTables(); }
    void halves()
    {
        auto p = plain(64);
        p.pairs = RopePairs::Halves;
        check(p, 64);
        p.dimensions = 24; // the halves of what is rotated, not of the head
        check(p, 33);
    }

    // Latent attention rotates the end of a head.
    void behindAnOffset_data() { tests::addKernelTables(); }
    void behindAnOffset()
    {
        auto p = plain(16);
        check(p, 40, 24);
        check(p, 40, 3);
        p.pairs = RopePairs::Halves;
        check(p, 40, 24);
    }

    // Layers may rotate by turns in two ways.
    void severalParameters_data() { tests::addKernelTables(); }
    void severalParameters()
    {
        constexpr std::uint32_t length = 32;
        auto near = plain(length);
        auto far = plain(16);
        far.base = 1e6F;
        far.pairs = RopePairs::Halves;
        const auto& table = tests::kernelTable();
        const auto alone = [&](const RopeParameters& p, std::uint32_t position) {
            OpBench bench(table, 2, 5, position);
            const auto slot = bench.slot(length, randomFloats(5 * length, 9));
            run(bench.execution, model::op::Rope { slot, 1, length, &p });
            return bench.values(slot);
        };
        OpBench bench(table, 2, 5);
        for (const std::uint32_t position : { 3U, 700U }) {
            bench.execution.batch.position = position;
            for (auto& known : bench.execution.ropes) {
                known.parameters = nullptr; // as a run begins
            }
            for (const auto* p : { &near, &far, &near, &far }) {
                const auto slot = bench.slot(length, randomFloats(5 * length, 9));
                run(bench.execution, model::op::Rope { slot, 1, length, p });
                QCOMPARE(bench.values(slot), alone(*p, position));
            }
            QCOMPARE(bench.execution.ropes.size(), std::size_t(2));
        }
    }

    void yarn_data() { tests::addKernelTables(); }
    void yarn()
    {
        auto p = plain(64);
        p.yarn = true;
        p.scale = 1.0F / 16;
        p.originalContext = 4096;
        // the ramp lies inside, so that all three parts of it are seen
        QVERIFY(extrapolated(p, 2) == 1.0 && extrapolated(p, 31) == 0.0);
        QVERIFY(extrapolated(p, 15) > 0.1 && extrapolated(p, 15) < 0.9);
        check(p, 64);
        p.extrapolation = 0.5F;
        p.attentionFactor = 0.8F;
        p.betaFast = 16.0F;
        p.betaSlow = 2.0F;
        check(p, 64);
        p.originalContext = 128; // the ramp begins at the first pair
        QCOMPARE(extrapolated(p, 0), 1.0);
        check(p, 64);
    }

    // Rotations keep the angle between a query and a key at the same distance: the property that
    // the whole thing is for.
    void dependsOnDistanceOnly_data() { tests::addKernelTables(); }
    void dependsOnDistanceOnly()
    {
        constexpr std::uint32_t length = 32;
        const auto p = plain(length);
        const auto product = [&](std::uint32_t queryAt, std::uint32_t keyAt) {
            std::vector<float> rotated[2];
            for (const int i : { 0, 1 }) {
                OpBench bench(tests::kernelTable(), 1, 1, i == 0 ? queryAt : keyAt);
                const auto slot = bench.slot(length, randomFloats(length, unsigned(7 + i)));
                run(bench.execution, model::op::Rope { slot, 1, length, &p });
                rotated[i] = bench.values(slot);
            }
            return std::inner_product(rotated[0].begin(), rotated[0].end(), rotated[1].begin(),
                                      0.0);
        };
        QVERIFY(tests::near(product(17, 5), product(1017, 1005), 2e-5));
        QVERIFY(!tests::near(product(17, 5), product(17, 6), 1e-3));
    }
};

QTEST_APPLESS_MAIN(TestRope)
#include "tst_rope.moc"
