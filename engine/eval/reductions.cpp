#include "engine/eval/reductions.h"

#include <algorithm>
#include <array>
#include <bit>

namespace engine::eval {

namespace {

// A compiler may not reorder a sum of floating numbers, so it is written as sums side by side that
// the processor can add at once.
constexpr std::size_t kLanes = 8;

/// The sum of `term` of every number.
template <typename Term>
double sumOfTerms(std::span<const float> numbers, Term term)
{
    std::array<double, kLanes> sums {};
    std::size_t i = 0;
    for (; i + kLanes <= numbers.size(); i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            sums[lane] += term(numbers[i + lane]);
        }
    }
    double sum = 0;
    for (; i < numbers.size(); ++i) {
        sum += term(numbers[i]);
    }
    for (const double lane : sums) {
        sum += lane;
    }
    return sum;
}

} // namespace

double sumOf(std::span<const float> numbers)
{
    return sumOfTerms(numbers, [](float number) { return static_cast<double>(number); });
}

double squaresAround(std::span<const float> numbers, double centre)
{
    return sumOfTerms(numbers, [centre](float number) {
        const double deviation = static_cast<double>(number) - centre;
        return deviation * deviation;
    });
}

std::int32_t largestMagnitude(std::span<const float> numbers)
{
    std::int32_t largest = 0;
    for (const float number : numbers) {
        largest = std::max(largest, std::bit_cast<std::int32_t>(number) & 0x7fffffff);
    }
    return largest;
}

Range rangeOf(std::span<const float> numbers)
{
    std::array<float, kLanes> lows;
    std::array<float, kLanes> highs;
    lows.fill(numbers.front());
    highs.fill(numbers.front());
    std::size_t i = 0;
    for (; i + kLanes <= numbers.size(); i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float number = numbers[i + lane];
            lows[lane] = number < lows[lane] ? number : lows[lane];
            highs[lane] = number > highs[lane] ? number : highs[lane];
        }
    }
    for (; i < numbers.size(); ++i) {
        lows[0] = std::min(lows[0], numbers[i]);
        highs[0] = std::max(highs[0], numbers[i]);
    }
    return { std::ranges::min(lows), std::ranges::max(highs) };
}

} // namespace engine::eval
