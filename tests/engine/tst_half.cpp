// Half precision and bfloat16: by definition, by every bit pattern, and against the processor's own
// conversion. SPDX-License-Identifier: Apache-2.0
#include "engine/quant/codec.h"
#include "tests/support/conformance.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using engine::quant::bfloatToFloat;
using engine::quant::floatToBfloat;
using engine::quant::floatToHalf;
using engine::quant::halfToFloat;

namespace {

std::uint32_t bitsOf(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}

/// What a half means, straight from the definition of IEEE binary16.
double definitionOfHalf(unsigned bits)
{
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const int mantissa = static_cast<int>(bits & 0x3ffU);
    double magnitude = 0;
    if (exponent == 31) {
        magnitude = mantissa ? NAN : INFINITY;
    } else if (exponent == 0) {
        magnitude = std::ldexp(mantissa, -24);
    } else {
        magnitude = std::ldexp(1024 + mantissa, exponent - 25);
    }
    return bits & 0x8000U ? -magnitude : magnitude;
}

bool hasHardwareHalf()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
#else
    return false;
#endif
}

#if defined(__x86_64__)
__attribute__((target("avx,f16c"))) float hardwareToFloat(std::uint16_t bits)
{
    return _cvtsh_ss(bits);
}

__attribute__((target("avx,f16c"))) std::uint16_t hardwareToHalf(float value)
{
    return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
#else
float hardwareToFloat(std::uint16_t bits)
{
    return halfToFloat(bits);
}
std::uint16_t hardwareToHalf(float value)
{
    return floatToHalf(value);
}
#endif

} // namespace

class TestHalf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHalfMeansItsDefinition();
    void everyHalfSurvivesTheRoundTrip();
    void halvesEqualTheHardware();
    void floatsEqualTheHardware();
    void roundsToNearestEven_data();
    void roundsToNearestEven();
    void everyMidpointOfHalvesGoesToTheEvenOne();
    void bfloatRoundsToNearestEven_data();
    void bfloatRoundsToNearestEven();
    void everyBfloatSurvivesTheRoundTrip();
};

void TestHalf::everyHalfMeansItsDefinition()
{
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        const float value = halfToFloat(static_cast<std::uint16_t>(bits));
        const double expected = definitionOfHalf(bits);
        QCOMPARE(std::isnan(value), std::isnan(expected));
        if (!std::isnan(expected)) {
            QCOMPARE(bitsOf(value), bitsOf(static_cast<float>(expected)));
        }
    }
}

void TestHalf::everyHalfSurvivesTheRoundTrip()
{
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        const bool isNan = (bits & 0x7fffU) > 0x7c00U;
        const unsigned expected = isNan ? bits | 0x200U : bits; // a signalling NaN becomes quiet
        QCOMPARE(static_cast<unsigned>(floatToHalf(halfToFloat(static_cast<std::uint16_t>(bits)))),
                 expected);
    }
}

void TestHalf::halvesEqualTheHardware()
{
    if (!hasHardwareHalf()) {
        QSKIP("this processor has no F16C");
    }
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        QCOMPARE(bitsOf(halfToFloat(half)), bitsOf(hardwareToFloat(half)));
    }
}

void TestHalf::floatsEqualTheHardware()
{
    if (!hasHardwareHalf()) {
        QSKIP("this processor has no F16C");
    }
    // Odd strides walk through all exponents and through every remainder that decides a rounding.
    const std::uint64_t stride = tests::fullRun() ? 3 : 1021;
    for (std::uint64_t bits = 0; bits < 0x100000000ULL; bits += stride) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        const auto ours = floatToHalf(value);
        if (ours != hardwareToHalf(value)) {
            QCOMPARE(ours, hardwareToHalf(value));
        }
    }
}

void TestHalf::roundsToNearestEven_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<unsigned>("half");
    QTest::newRow("one") << 1.0F << 0x3c00U;
    QTest::newRow("tie down to even") << 0x1.002p0F << 0x3c00U;
    QTest::newRow("just above that tie") << std::nextafter(0x1.002p0F, 2.0F) << 0x3c01U;
    QTest::newRow("tie up to even") << 0x1.006p0F << 0x3c02U;
    QTest::newRow("just below that tie") << std::nextafter(0x1.006p0F, 1.0F) << 0x3c01U;
    QTest::newRow("carry into the exponent") << 0x1.ffep0F << 0x4000U;
    QTest::newRow("largest") << 65504.0F << 0x7bffU;
    QTest::newRow("last that rounds to it") << std::nextafter(65520.0F, 0.0F) << 0x7bffU;
    QTest::newRow("tie to infinity") << 65520.0F << 0x7c00U;
    QTest::newRow("large") << -1e30F << 0xfc00U;
    QTest::newRow("smallest normal") << 0x1p-14F << 0x0400U;
    QTest::newRow("tie into the smallest normal") << 0x1.ffep-15F << 0x0400U;
    QTest::newRow("largest subnormal") << 0x1.ff8p-15F << 0x03ffU;
    QTest::newRow("smallest") << 0x1p-24F << 0x0001U;
    QTest::newRow("tie to zero") << 0x1p-25F << 0x0000U;
    QTest::newRow("just above that zero") << std::nextafter(0x1p-25F, 1.0F) << 0x0001U;
    QTest::newRow("subnormal tie up") << 0x1.8p-24F << 0x0002U;
    QTest::newRow("subnormal tie down") << 0x1.4p-23F << 0x0002U;
    QTest::newRow("negative underflow") << -1e-30F << 0x8000U;
    QTest::newRow("float subnormal") << -1e-42F << 0x8000U;
    QTest::newRow("infinity") << -INFINITY << 0xfc00U;
    QTest::newRow("payload kept, quiet") << std::bit_cast<float>(0x7f802000U) << 0x7e01U;
    QTest::newRow("tiny payload stays a NaN") << std::bit_cast<float>(0xff800001U) << 0xfe00U;
}

void TestHalf::roundsToNearestEven()
{
    QFETCH(float, value);
    QFETCH(unsigned, half);
    QCOMPARE(static_cast<unsigned>(floatToHalf(value)), half);
}

void TestHalf::everyMidpointOfHalvesGoesToTheEvenOne()
{
    for (unsigned bits = 0; bits < 0x7bffU; ++bits) {
        const double low = definitionOfHalf(bits);
        const double high = definitionOfHalf(bits + 1);
        const auto middle = static_cast<float>((low + high) / 2); // exact: one bit more than a half
        const unsigned even = bits % 2 ? bits + 1 : bits;
        QCOMPARE(static_cast<unsigned>(floatToHalf(middle)), even);
        QCOMPARE(static_cast<unsigned>(floatToHalf(std::nextafter(middle, 1e9F))), bits + 1);
        if (bits > 0) {
            QCOMPARE(static_cast<unsigned>(floatToHalf(std::nextafter(middle, 0.0F))), bits);
        }
    }
}

void TestHalf::bfloatRoundsToNearestEven_data()
{
    QTest::addColumn<unsigned>("bits");
    QTest::addColumn<unsigned>("bfloat");
    QTest::newRow("exact") << 0x3f800000U << 0x3f80U;
    QTest::newRow("tie down to even") << 0x3f808000U << 0x3f80U;
    QTest::newRow("above the tie") << 0x3f808001U << 0x3f81U;
    QTest::newRow("tie up to even") << 0x3f818000U << 0x3f82U;
    QTest::newRow("below the tie") << 0x3f817fffU << 0x3f81U;
    QTest::newRow("carry") << 0x3fffffffU << 0x4000U;
    QTest::newRow("overflow") << 0x7f7fffffU << 0x7f80U;
    QTest::newRow("infinity") << 0xff800000U << 0xff80U;
    QTest::newRow("subnormal") << 0x00008001U << 0x0001U;
    QTest::newRow("quiet NaN") << 0x7fc00000U << 0x7fc0U;
    QTest::newRow("payload below the cut") << 0x7f800001U << 0x7fc0U;
    QTest::newRow("NaN that would carry") << 0xffffffffU << 0xffffU;
}

void TestHalf::bfloatRoundsToNearestEven()
{
    QFETCH(unsigned, bits);
    QFETCH(unsigned, bfloat);
    QCOMPARE(static_cast<unsigned>(floatToBfloat(std::bit_cast<float>(bits))), bfloat);
}

void TestHalf::everyBfloatSurvivesTheRoundTrip()
{
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        const bool isNan = (bits & 0x7fffU) > 0x7f80U;
        const auto bfloat = static_cast<std::uint16_t>(bits);
        QCOMPARE(bitsOf(bfloatToFloat(bfloat)), bits << 16U);
        QCOMPARE(static_cast<unsigned>(floatToBfloat(bfloatToFloat(bfloat))),
                 isNan ? bits | 0x40U : bits);
    }
}

QTEST_APPLESS_MAIN(TestHalf)
#include "tst_half.moc"
