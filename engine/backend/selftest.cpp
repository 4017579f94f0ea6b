#include "engine/backend/selftest.h"

#include "engine/backend/selftest_cases.h"
#include "shaders/shaders.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <thread>
#include <utility>

namespace engine::backend {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Largest differences of `actual` from as many first rows of `expected`; all rows but `strays`
/// count.
void compare(std::span<const float> actual, std::span<const float> expected, std::size_t rows,
             std::size_t strays, OpCheck& check)
{
    const auto width = expected.size() / kSelfTestRows;
    if (actual.size() != rows * width) {
        check.maxAbs = check.maxRel = kInfinite;
        return;
    }
    std::vector<std::pair<double, double>> differences; // relative, absolute
    for (std::size_t begin = 0; begin < actual.size(); begin += width) {
        double size = std::numeric_limits<float>::min(); // zeros are expected to be zeros
        double largest = 0;
        for (std::size_t i = begin; i < begin + width; ++i) {
            const double difference = std::fabs(double(actual[i]) - double(expected[i]));
            size = std::max(size, std::fabs(double(expected[i])));
            largest = std::isnan(difference) ? kInfinite : std::max(largest, difference);
        }
        differences.emplace_back(largest / size, largest);
    }
    std::ranges::sort(differences);
    differences.resize(differences.size() - std::min(strays, differences.size() - 1));
    for (const auto& [relative, absolute] : differences) {
        check.maxRel = std::max(check.maxRel, relative);
        check.maxAbs = std::max(check.maxAbs, absolute);
    }
}

/// All rows at once, and in runs of one: those are often other shaders.
OpCheck checked(const Backend& device, const SelfTestCase& test, const std::stop_token& stop)
{
    OpCheck check { .op = test.op, .type = test.type };
    OpGraph graph;
    test.build(graph);
    // the reference takes activations as they are
    const auto mode = std::exchange(graph.options.activations, ActivationMode::Float);
    const auto& reference = test.reference ? *test.reference : scalarBackend();
    const auto expected = graph.compute(reference, kSelfTestRows, kSelfTestRows, 0, stop);
    graph.options.activations = mode;
    for (const bool atOnce : { true, false }) {
        const auto rows = atOnce ? kSelfTestRows : test.singles;
        const auto actual = graph.compute(device, rows, atOnce ? rows : 1, 0, stop);
        if (!expected || !actual) {
            const auto& error = !expected ? expected.error() : actual.error();
            check.problem = englishSentence(error);
            // a model's matrix may be too large for a device that is right
            check.ok = test.reference && error.code == ErrorCode::DeviceOutOfMemory;
            return check;
        }
        compare(*actual, *expected, rows, test.strayRows, check);
    }
    check.ok = check.maxRel <= test.tolerance;
    return check;
}

/// Whether both are of one op and, by the first word, of one type: they use the same shaders.
bool areAlike(const SelfTestCase& a, const SelfTestCase& b)
{
    const auto word = [](const SelfTestCase& test) {
        return std::string_view(test.type).substr(0, test.type.find(' '));
    };
    return a.op == b.op && word(a) == word(b);
}

/// Cases that several threads take one after the other; one takes all that are alike, as each
/// makes shaders of its own, and that is what takes long.
class SharedCases
{
public:
    SharedCases(std::span<const SelfTestCase> cases, const SelfTestControl& control)
        : m_cases(cases)
        , m_control(control)
        , m_checks(cases.size())
    {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (i == 0 || !areAlike(cases[i - 1], cases[i])) {
                m_starts.push_back(i);
            }
        }
        m_starts.push_back(cases.size());
    }

    /// `tells`: of the one thread that says how far it is.
    void work(const Backend& device, bool tells)
    {
        for (auto next = m_next++; next + 1 < m_starts.size(); next = m_next++) {
            for (auto index = m_starts[next]; index < m_starts[next + 1]; ++index) {
                if (index > m_lastWanted || !begin(index, tells)) {
                    return;
                }
                m_checks[index] = checked(device, m_cases[index], m_control.stop);
                if (!m_checks[index].ok && m_control.afterFailure == AfterFailure::Stop) {
                    auto last = m_lastWanted.load();
                    while (index < last && !m_lastWanted.compare_exchange_weak(last, index)) { }
                }
            }
        }
    }

    /// After all threads.
    Result<std::vector<OpCheck>> take()
    {
        if (m_control.stop.stop_requested()) {
            return failure(ErrorCode::Cancelled);
        }
        m_checks.resize(std::min(m_checks.size(), m_lastWanted + 1));
        return std::move(m_checks);
    }

private:
    /// False where all is to end.
    [[nodiscard]] bool begin(std::size_t index, bool tells) const
    {
        if (tells && m_control.progress && !m_control.stop.stop_requested()) {
            m_control.progress(double(index) / double(m_cases.size()), m_cases[index].op);
        }
        return !m_control.stop.stop_requested();
    }

    std::span<const SelfTestCase> m_cases;
    const SelfTestControl& m_control;
    std::vector<std::size_t> m_starts; // of cases that are alike, then the end
    std::vector<OpCheck> m_checks;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<std::size_t> m_lastWanted = SIZE_MAX - 1; // the first that failed
};

} // namespace

Result<std::vector<OpCheck>> selfTest(std::span<const Backend* const> devices,
                                      std::span<const SelfTestCase> cases,
                                      const SelfTestControl& control)
{
    SharedCases shared(cases, control);
    {
        std::vector<std::jthread> threads;
        for (const auto* device : devices.subspan(1)) {
            threads.emplace_back([&shared, device] { shared.work(*device, false); });
        }
        shared.work(*devices.front(), true);
    }
    return shared.take();
}

Result<std::vector<OpCheck>> selfTest(const Backend& device, const SelfTestControl& control)
{
    const Backend* const only = &device;
    const auto cases = selfTestCases();
    return selfTest({ &only, 1 }, cases, control);
}

std::string selfTestEdition()
{
    constexpr int kCases = 3; // raised when cases change
    return std::to_string(kCases) + "-" + std::to_string(shaders::digest());
}

} // namespace engine::backend
