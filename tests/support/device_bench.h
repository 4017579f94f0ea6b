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

/// The device that tests run on: the first usable one, a software device too, watched by the
/// validation layer where it is installed. Null where the machine has none.
[[nodiscard]] inline std::shared_ptr<const engine::backend::Backend> testDevice()
{
    static const auto device = [] {
        qputenv("VITRINE_VULKAN_VALIDATION", "1");
        const auto all = engine::backend::devices();
        for (const auto& facts : all ? *all : std::vector<engine::backend::DeviceFacts> {}) {
            if (facts.unfit.empty()) {
                if (auto opened = engine::backend::openDevice(facts.index)) {
                    return *opened;
                }
            }
        }
        return std::shared_ptr<const engine::backend::Backend> {};
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
