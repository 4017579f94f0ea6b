// Runs graphs of a few ops on a Vulkan device beside the CPU's scalar kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/devices.h"
#include "engine/backend/op_graph.h"
#include "tests/support/op_bench.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tests {

using DevicePointer = std::shared_ptr<const engine::backend::Backend>;

/// The first usable device with that feature (any, unless said), a software device too, opened as
/// the environment says now. Null where there is none.
[[nodiscard]] inline DevicePointer openFirst(bool engine::backend::DeviceFeatures::*feature = {})
{
    const auto all = engine::backend::devices();
    for (const auto& facts : all ? *all : std::vector<engine::backend::DeviceFacts> {}) {
        if (facts.unfit.empty() && (!feature || facts.features.*feature)) {
            if (auto opened = engine::backend::openDevice(facts.index)) {
                return *opened;
            }
        }
    }
    return {};
}

/// The same with bindings of so few bytes that a matrix needs several.
[[nodiscard]] inline DevicePointer openNarrow(std::uint64_t bytes,
                                              bool engine::backend::DeviceFeatures::*feature = {})
{
    qputenv("VITRINE_VULKAN_RANGE", QByteArray::number(qulonglong(bytes)));
    auto device = openFirst(feature);
    qunsetenv("VITRINE_VULKAN_RANGE");
    return device;
}

/// The device that tests run on, watched by the validation layer where it is installed. Null where
/// the machine has none.
[[nodiscard]] inline DevicePointer testDevice()
{
    static const auto device = [] {
        qputenv("VITRINE_VULKAN_VALIDATION", "1");
        return openFirst();
    }();
    return device;
}

/// A graph made by a test.
class DeviceBench : public engine::backend::OpGraph
{
public:
    /// As `compute`. Empty after a failure, which is a failure of the test.
    [[nodiscard]] std::vector<float> run(const engine::backend::Backend& backend, std::size_t rows,
                                         std::size_t chunk, std::uint32_t position = 0) const
    {
        auto out = compute(backend, rows, chunk, position);
        if (!out) {
            QTest::qFail(engine::englishSentence(out.error()).c_str(), __FILE__, __LINE__);
            return {};
        }
        return std::move(*out);
    }
};

/// Products of one input with matrices of several lengths and two types, every other with a bias.
class SeveralTargets
{
public:
    static constexpr std::size_t kCount = 5;

    /// Into an empty bench, whose result is that of one of them.
    void build(DeviceBench& bench, std::size_t rows, std::size_t shown) const
    {
        engine::model::op::Linear op { bench.slot(kColumns, randomFloats(kColumns * rows, 6)), {} };
        for (const auto& matrix : m_matrices) {
            const auto outputs = static_cast<std::uint32_t>(matrix.matrix.rows);
            const bool biased = op.targets.size() % 2 == 0;
            op.targets.push_back({ bench.matrix(matrix.matrix),
                                   biased ? bench.vector(randomFloats(outputs, 8)) : nullptr,
                                   bench.slot(outputs) });
        }
        bench.add(op);
        bench.show(op.targets[shown].out);
    }
    [[nodiscard]] std::size_t outputs(std::size_t target) const
    {
        return m_matrices[target].matrix.rows;
    }

private:
    static constexpr std::uint32_t kColumns = 64;
    const RandomMatrix m_matrices[kCount] {
        { engine::gguf::TensorType::Q8_0, kColumns, 100, 1 },
        { engine::gguf::TensorType::Q8_0, kColumns, 7, 2 },
        { engine::gguf::TensorType::F16, kColumns, 33, 3 },
        { engine::gguf::TensorType::Q8_0, kColumns, 64, 4 },
        { engine::gguf::TensorType::Q8_0, kColumns, 65, 5 },
    };
};

/// Into an empty bench: products by `used` experts of two stacks, for inputs of `width`, whose
/// result is that of one of the stacks. The first has a bias.
inline void buildExperts(DeviceBench& bench, const engine::model::MatrixStack& first,
                         const engine::model::MatrixStack& second, std::uint32_t used,
                         std::uint32_t width, std::size_t rows, bool showsSecond)
{
    const auto outputs = static_cast<std::uint32_t>(first.rowsOfOne());
    std::vector<float> route;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::uint32_t i = 0; i < used; ++i) {
            route.push_back(float((row * 2 + i * (1 + row % 2)) % first.count));
        }
        route.insert(route.end(), used, 0.3F);
    }
    const auto in = bench.slot(width, randomFloats(rows * width, 3));
    const auto routeSlot = bench.slot(2 * used, route);
    const auto out = bench.slot(used * outputs);
    const auto otherOut = bench.slot(used * outputs);
    const auto* bias = bench.vector(randomFloats(std::size_t(first.count) * outputs, 4));
    bench.add(engine::model::op::ExpertLinear {
        in, routeSlot, used, { { &first, bias, out }, { &second, nullptr, otherOut } } });
    bench.show(showsSecond ? otherOut : out);
}

/// The largest difference, in units of max(1, |expected|); infinite for NaN on one side or other
/// lengths.
[[nodiscard]] inline double largestDifference(const std::vector<float>& actual,
                                              const std::vector<float>& expected)
{
    if (actual.size() != expected.size() || actual.empty()) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::fabs(double(actual[i]) - double(expected[i]))
            / std::max(1.0, std::fabs(double(expected[i])));
        if (!(difference <= largest)) {
            largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
        }
    }
    return largest;
}

/// Twelve tokens of very different sizes beside each other, from 0 and `least` to 1e30.
[[nodiscard]] inline std::vector<float> tokensOfAllSizes(std::uint32_t columns, float least)
{
    auto numbers = randomFloats(std::size_t(12) * columns, 3);
    const float sizes[] = { 1e4F, 1e6F, 1e30F, 1e-4F, 1e-8F, least, 0.0F, 1.0F, 7e4F };
    for (std::size_t row = 0; row < std::size(sizes); ++row) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            numbers[row * columns + i] *= sizes[row];
        }
    }
    numbers[std::size_t(9) * columns + 5] = 3e4F; // an outlier
    std::fill_n(numbers.begin() + 10L * columns, columns, 1e4F); // all of one sign
    return numbers;
}

/// The largest difference of a row in units of its largest number.
[[nodiscard]] inline double rowDifference(const std::vector<float>& actual,
                                          const std::vector<float>& expected, std::size_t width)
{
    double largest = actual.size() == expected.size() ? 0 : INFINITY;
    for (std::size_t begin = 0; largest < INFINITY && begin < expected.size(); begin += width) {
        double size = std::numeric_limits<float>::min();
        for (std::size_t i = begin; i < begin + width; ++i) {
            size = std::max(size, std::fabs(double(expected[i])));
        }
        for (std::size_t i = begin; i < begin + width; ++i) {
            const double difference = std::fabs(double(actual[i]) - double(expected[i])) / size;
            largest = difference <= largest ? largest
                : std::isnan(difference)    ? INFINITY
                                            : difference;
        }
    }
    return largest;
}

/// Runs with activations that may be rounded.
[[nodiscard]] inline std::vector<float>
rounded(DeviceBench& bench, const engine::backend::Backend& backend, std::size_t rows)
{
    bench.options.activations = engine::backend::ActivationMode::Q8;
    auto out = bench.run(backend, rows, rows);
    bench.options.activations = engine::backend::ActivationMode::Float;
    return out;
}

} // namespace tests

/// Device and CPU agree on `bench` for `rows` rows, run at once and one by one.
#define COMPARE_WITH_CPU(bench, rows, tolerance)                                                   \
    do {                                                                                           \
        const auto expected_ = (bench).run(engine::backend::cpuBackend(), rows, rows);             \
        const auto atOnce_ = (bench).run(*tests::testDevice(), rows, rows);                        \
        const auto oneByOne_ = (bench).run(*tests::testDevice(), rows, 1);                         \
        const double difference_ = tests::largestDifference(atOnce_, expected_);                   \
        QVERIFY2(difference_ <= (tolerance), qPrintable(QString::number(difference_)));            \
        const double difference1_ = tests::largestDifference(oneByOne_, expected_);                \
        QVERIFY2(difference1_ <= (tolerance),                                                      \
                 qPrintable("one by one: " + QString::number(difference1_)));                      \
        const auto complaints_ = tests::testDevice()->complaints();                                \
        QVERIFY2(complaints_.empty(), complaints_.empty() ? "" : complaints_.front().c_str());     \
    } while (false)

/// Leaves a test out where no device is there.
#define NEED_DEVICE()                                                                              \
    do {                                                                                           \
        if (!tests::testDevice()) {                                                                \
            QSKIP("this machine has no Vulkan device (install mesa-vulkan-drivers)");              \
        }                                                                                          \
    } while (false)
