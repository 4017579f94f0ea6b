// Statistics with their histogram: the range that is shown, one progress, stopping.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/tensor_summary.h"
#include "tests/support/random_tensor.h"

#include <QtTest>

#include <numeric>

using namespace engine;
using gguf::TensorType;

namespace {

std::uint64_t sumOf(const std::vector<std::uint64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t { 0 });
}

Result<eval::TensorSummary> summaryOf(const std::vector<float>& values,
                                      const eval::ScanControl& control = {})
{
    const auto bytes = tests::tinyGguf({ { "w", 0, { values.size() }, tests::bytesOf(values) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    return eval::tensorSummary(*file, file->tensors()[0], control);
}

} // namespace

class TestTensorSummary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsEveryValueOnce();
    void fewFarValuesStayOutside();
    void equalValues();
    void nothingFinite();
    void oneProgress();
    void stops();
    void errors();
};

void TestTensorSummary::countsEveryValueOnce()
{
    const tests::RandomTensor random(TensorType::Q4_K, 1024, 8,
                                     tests::RandomTensor::Numbers::Finite);
    const auto summary = eval::tensorSummary(random.file(), random.tensor());
    QVERIFY(summary.has_value());
    const auto& [statistics, histogram] = *summary;
    QCOMPARE(histogram.counts.size(), eval::kSummaryBins);
    QCOMPARE(sumOf(histogram.counts) + histogram.below + histogram.above, statistics.finite());
    QVERIFY(histogram.low >= statistics.min && histogram.high <= statistics.max);
}

void TestTensorSummary::fewFarValuesStayOutside()
{
    std::vector<float> values(10000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 2 == 0 ? 1.0F : -1.0F;
    }
    values[77] = 1000;
    values[78] = -500;
    const auto summary = summaryOf(values);
    QVERIFY(summary.has_value());
    const double reach = 6 * summary->statistics.standardDeviation;
    QCOMPARE(summary->histogram.above, std::uint64_t { 1 });
    QCOMPARE(summary->histogram.below, std::uint64_t { 1 });
    QCOMPARE(summary->histogram.high, static_cast<float>(summary->statistics.mean + reach));
    // Without far ones it ends with the values.
    values[77] = values[78] = 0;
    const auto whole = summaryOf(values);
    QCOMPARE(whole->histogram.low, -1.0F);
    QCOMPARE(whole->histogram.high, 1.0F);
    QCOMPARE(whole->histogram.counts.front(), std::uint64_t { 4999 });
    QCOMPARE(whole->histogram.counts.back(), std::uint64_t { 4999 });
}

void TestTensorSummary::equalValues()
{
    const auto summary = summaryOf(std::vector<float>(1000, 0.1F));
    QVERIFY(summary.has_value());
    QCOMPARE(summary->histogram.counts, std::vector<std::uint64_t> { 1000 });
    QCOMPARE(summary->histogram.low, 0.1F);
}

void TestTensorSummary::nothingFinite()
{
    const auto summary = summaryOf({ NAN, INFINITY });
    QVERIFY(summary.has_value());
    QCOMPARE(summary->statistics.finite(), std::uint64_t { 0 });
    QCOMPARE(sumOf(summary->histogram.counts), std::uint64_t { 0 });
}

// Told at each piece, never backwards, from both scans, up to 1.
void TestTensorSummary::oneProgress()
{
    std::vector<double> told;
    eval::ScanProgress progress([&told](double fraction) { told.push_back(fraction); });
    const std::vector<float> values(10 * eval::kScanPiece, 1);
    QVERIFY(summaryOf(values, { {}, &progress }).has_value());
    QCOMPARE(told.size(), std::size_t { 20 });
    QVERIFY(std::is_sorted(told.begin(), told.end()));
    QCOMPARE(told.front(), 0.05);
    QCOMPARE(told.back(), 1.0);
}

void TestTensorSummary::stops()
{
    std::stop_source source;
    int steps = 0;
    eval::ScanProgress progress([&](double fraction) {
        ++steps;
        if (fraction > 0.7) { // within the second scan
            source.request_stop();
        }
    });
    const std::vector<float> values(10 * eval::kScanPiece, 1);
    const auto stopped = summaryOf(values, { source.get_token(), &progress });
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    QCOMPARE(steps, 15);
}

void TestTensorSummary::errors()
{
    const auto bytes = tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(82) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto summary = eval::tensorSummary(*file, file->tensors()[0]);
    QVERIFY(!summary.has_value());
    QCOMPARE(summary.error().code, ErrorCode::TensorNotDecodable);
}

QTEST_APPLESS_MAIN(TestTensorSummary)
#include "tst_tensor_summary.moc"
