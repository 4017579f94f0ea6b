#include "engine/backend/selftest.h"

#include "engine/backend/selftest_cases.h"
#include "shaders/shaders.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace engine::backend {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Largest differences of `actual` from `expected`, row by row.
void compare(const std::vector<float>& actual, const std::vector<float>& expected, OpCheck& check)
{
    if (actual.size() != expected.size()) {
        check.maxAbs = check.maxRel = kInfinite;
        return;
    }
    const auto width = expected.size() / kSelfTestRows;
    for (std::size_t begin = 0; begin < expected.size(); begin += width) {
        double size = std::numeric_limits<float>::min(); // zeros are expected to be zeros
        double largest = 0;
        for (std::size_t i = begin; i < begin + width; ++i) {
            const double difference = std::fabs(double(actual[i]) - double(expected[i]));
            size = std::max(size, std::fabs(double(expected[i])));
            largest = std::isnan(difference) ? kInfinite : std::max(largest, difference);
        }
        check.maxAbs = std::max(check.maxAbs, largest);
        check.maxRel = std::max(check.maxRel, largest / size);
    }
}

/// All rows at once, and in runs of one: those are often other shaders.
OpCheck checked(const Backend& device, const SelfTestCase& test)
{
    OpCheck check { .op = test.op, .type = test.type };
    OpGraph graph;
    test.build(graph);
    // the reference takes activations as they are
    const auto mode = std::exchange(graph.options.activations, ActivationMode::Float);
    const auto expected = graph.compute(scalarBackend(), kSelfTestRows, kSelfTestRows);
    graph.options.activations = mode;
    for (const std::size_t chunk : { kSelfTestRows, std::size_t(1) }) {
        const auto actual = graph.compute(device, kSelfTestRows, chunk);
        if (!expected || !actual) {
            check.problem = englishSentence(!expected ? expected.error() : actual.error());
            return check;
        }
        compare(*actual, *expected, check);
    }
    check.ok = check.maxRel <= test.tolerance;
    return check;
}

} // namespace

Result<std::vector<OpCheck>>
selfTest(const Backend& device, AfterFailure afterFailure, std::stop_token stop,
         const std::function<void(double, const std::string&)>& progress)
{
    const auto cases = selfTestCases();
    std::vector<OpCheck> checks;
    for (const auto& test : cases) {
        if (stop.stop_requested()) {
            return failure(ErrorCode::Cancelled);
        }
        if (progress) {
            progress(double(checks.size()) / double(cases.size()), test.op);
        }
        checks.push_back(checked(device, test));
        if (!checks.back().ok && afterFailure == AfterFailure::Stop) {
            break;
        }
    }
    return checks;
}

std::string selfTestEdition()
{
    constexpr int kCases = 1; // raised when cases change
    return std::to_string(kCases) + "-" + std::to_string(shaders::digest());
}

} // namespace engine::backend
