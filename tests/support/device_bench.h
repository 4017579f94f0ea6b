// Runs graphs of a few ops on a Vulkan device beside the CPU's scalar kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/devices.h"
#include "engine/model/graph.h"
#include "tests/support/op_bench.h"

#include <QTest>

#include <cmath>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
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

/// A graph made by a test. Inputs are slots filled from tables: token t of the batch brings row t.
/// The last slot given to `show` is what both backends are compared by.
class DeviceBench
{
public:
    /// A slot that holds `values`, row after row.
    engine::model::Slot slot(std::uint32_t width, const std::vector<float>& values)
    {
        const auto out = slot(width);
        auto& bytes = m_tables.emplace_back(reinterpret_cast<const std::byte*>(values.data()),
                                            reinterpret_cast<const std::byte*>(values.data())
                                                + values.size() * sizeof(float));
        bytes.resize(bytes.size() + 64); // nothing that matters behind it
        graph.nodes.emplace_back(engine::model::op::Embed {
            matrix({ engine::gguf::TensorType::F32, width, values.size() / width,
                     width * sizeof(float),
                     std::span(bytes).first(values.size() * sizeof(float)) }),
            out });
        return out;
    }
    /// A slot for results.
    engine::model::Slot slot(std::uint32_t width) { return graph.slot(width); }
    [[nodiscard]] const engine::model::Matrix* matrix(engine::model::Matrix matrix)
    {
        return &m_matrices.emplace_back(matrix);
    }
    [[nodiscard]] const engine::model::Vector* vector(std::vector<float> values)
    {
        return &m_vectors.emplace_back(std::move(values));
    }
    template <typename Op>
    void add(Op op)
    {
        graph.nodes.emplace_back(std::move(op));
    }
    void show(engine::model::Slot slot) { graph.logits = slot; }

    /// What a backend computes for tokens 0 … rows - 1 from `position` on, in runs of at most
    /// `chunk` rows. Empty after a failure, which is a failure of the test.
    [[nodiscard]] std::vector<float> run(const engine::backend::Backend& backend, std::size_t rows,
                                         std::size_t chunk, std::uint32_t position = 0) const
    {
        engine::backend::RunnerOptions wanted = options;
        wanted.contextLength = std::max<std::uint32_t>(wanted.contextLength,
                                                       position + static_cast<std::uint32_t>(rows));
        auto runner = backend.prepare(graph, wanted);
        if (!runner) {
            QTest::qFail(engine::englishSentence(runner.error()).c_str(), __FILE__, __LINE__);
            return {};
        }
        std::vector<engine::text::TokenId> tokens(rows);
        std::iota(tokens.begin(), tokens.end(), 0);
        std::vector<float> out;
        for (std::size_t done = 0; done < rows; done += chunk) {
            const auto part = std::span(tokens).subspan(done, std::min(chunk, rows - done));
            const auto ran = (*runner)->run({ part, position + static_cast<std::uint32_t>(done),
                                              engine::backend::Outputs::All },
                                            {});
            if (!ran) {
                QTest::qFail(engine::englishSentence(ran.error()).c_str(), __FILE__, __LINE__);
                return {};
            }
            const auto logits = (*runner)->logits();
            out.insert(out.end(), logits.begin(), logits.end());
        }
        return out;
    }

    engine::model::Graph graph;
    engine::backend::RunnerOptions options { .cacheType = engine::backend::CacheType::F32,
                                             .activations = engine::backend::ActivationMode::Float,
                                             .threads = 1 };

private:
    std::deque<std::vector<std::byte>> m_tables;
    std::deque<engine::model::Matrix> m_matrices;
    std::deque<engine::model::Vector> m_vectors;
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
