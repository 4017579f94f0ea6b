// Sums and extremes against plain loops, for every length around the lanes.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/reductions.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <random>

using namespace engine;

class TestReductions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLength();
    void everyPlace();
    void oddNumbers();
    void nothing();
};

void TestReductions::everyLength()
{
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.3F, 2);
    std::vector<float> numbers;
    for (std::size_t length = 1; length < 70; ++length) {
        numbers.push_back(normal(random));
        double sum = 0;
        double squares = 0;
        float largest = 0;
        for (const float number : numbers) {
            sum += double(number);
            squares += (double(number) - 0.25) * (double(number) - 0.25);
            largest = std::max(largest, std::fabs(number));
        }
        QVERIFY(std::fabs(eval::sumOf(numbers) - sum) < 1e-12);
        QVERIFY(std::fabs(eval::squaresAround(numbers, 0.25) - squares) < 1e-11);
        QCOMPARE(std::bit_cast<float>(eval::largestMagnitude(numbers)), largest);
        const auto range = eval::rangeOf(numbers);
        QCOMPARE(range.low, *std::min_element(numbers.begin(), numbers.end()));
        QCOMPARE(range.high, *std::max_element(numbers.begin(), numbers.end()));
    }
}

void TestReductions::everyPlace()
{
    // The extreme alone at each place of 19 numbers, in the lanes and behind them.
    for (std::size_t place = 0; place < 19; ++place) {
        std::vector<float> numbers(19, 1);
        numbers[place] = -3;
        QCOMPARE(eval::rangeOf(numbers).low, -3.0F);
        QCOMPARE(eval::rangeOf(numbers).high, 1.0F);
        QCOMPARE(std::bit_cast<float>(eval::largestMagnitude(numbers)), 3.0F);
        QCOMPARE(eval::sumOf(numbers), 15.0);
        numbers[place] = 4;
        QCOMPARE(eval::rangeOf(numbers).low, 1.0F);
        QCOMPARE(eval::rangeOf(numbers).high, 4.0F);
    }
}

void TestReductions::oddNumbers()
{
    constexpr float kMost = std::numeric_limits<float>::max();
    QVERIFY(std::isfinite(eval::sumOf(std::vector<float>(1000, kMost))));
    for (const float odd : { NAN, -NAN, INFINITY, -INFINITY }) {
        for (std::size_t place = 0; place < 19; ++place) {
            std::vector<float> numbers(19, kMost);
            numbers[place] = odd;
            QVERIFY(!std::isfinite(eval::sumOf(numbers)));
            QVERIFY(!std::isfinite(std::bit_cast<float>(eval::largestMagnitude(numbers))));
        }
    }
}

void TestReductions::nothing()
{
    QCOMPARE(eval::sumOf({}), 0.0);
    QCOMPARE(eval::squaresAround({}, 1), 0.0);
    QCOMPARE(eval::largestMagnitude({}), 0);
}

QTEST_APPLESS_MAIN(TestReductions)
#include "tst_reductions.moc"
