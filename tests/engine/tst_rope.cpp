// Rotary positions against the papers' formulas with complex numbers in double: plain, linear,
// divided frequencies, YaRN. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

#include <complex>
#include <numbers>
#include <numeric>

using namespace engine;
using namespace engine::backend::cpu;
using model::RopeParameters;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::uint32_t kHeads = 3;

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
    double frequency = theta(p, pair) / (p.factors.empty() ? 1.0 : p.factors[pair]);
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

/// The largest difference over all heads and rows, rotated dimensions and the rest.
double largestError(const Kernels& table, const RopeParameters& p, std::uint32_t headLength,
                    std::size_t rows, std::uint32_t position, int threads)
{
    const auto width = kHeads * headLength;
    const auto before = randomFloats(rows * width, 1);
    OpBench bench(table, threads, rows, position);
    const auto query = bench.slot(width, before);
    const auto key = bench.slot(width, before); // the second op re-uses the table of the first
    run(bench.execution, model::op::Rope { query, kHeads, headLength, &p });
    run(bench.execution, model::op::Rope { key, kHeads, headLength, &p });
    if (bench.values(query) != bench.values(key)) {
        return 1e9;
    }
    double largest = 0.0;
    const auto note = [&](double difference) {
        largest = std::fabs(difference) <= largest ? largest : std::fabs(difference);
    };
    for (std::size_t at = 0; at < before.size(); at += headLength) {
        const float* in = before.data() + at;
        const float* out = bench.values(query).data() + at;
        const double place = position + double(at / width);
        for (std::uint32_t i = 0; i < p.dimensions / 2; ++i) {
            const auto expected =
                std::complex<double>(in[2 * i], in[2 * i + 1]) * rotation(p, place, i);
            note(out[2 * i] - expected.real());
            note(out[2 * i + 1] - expected.imag());
        }
        for (auto i = p.dimensions; i < headLength; ++i) {
            note(out[i] == in[i] ? 0.0 : 1e9); // not rotated
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

void check(const RopeParameters& p, std::uint32_t headLength)
{
    for (const std::size_t rows : { 1U, 3U, 9U, 33U }) {
        for (const std::uint32_t position : { 0U, 1U, 500U, 100'000U }) {
            for (const int threads : { 1, 3 }) {
                const auto error =
                    largestError(tests::kernelTable(), p, headLength, rows, position, threads);
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
