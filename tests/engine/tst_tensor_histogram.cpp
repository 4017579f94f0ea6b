// The histogram of a tensor against a plain count, for every type; ranges, odd values, stopping.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/tensor_histogram.h"
#include "engine/eval/tensor_statistics.h"
#include "tests/support/random_tensor.h"

#include <QtTest>

#include <numeric>

using namespace engine;
using gguf::TensorType;

namespace {

using Counts = std::vector<std::uint64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Result<eval::TensorHistogram> histogramOf(const std::vector<float>& values, float low, float high,
                                          std::size_t bins, const eval::ScanControl& control = {})
{
    const auto bytes = tests::tinyGguf({ { "w", 0, { values.size() }, tests::bytesOf(values) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    return eval::tensorHistogram(*file, file->tensors()[0], low, high, bins, control);
}

} // namespace

class TestTensorHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byHand();
    void oneValue();
    void widestRange();
    void equalsPlainCount_data();
    void equalsPlainCount();
    void stopsAndProgress();
    void errors();
};

void TestTensorHistogram::byHand()
{
    const auto result = histogramOf(
        { 0, 0.9F, 1, 2.5F, 3.999F, 4, -0.001F, 4.001F, -kInfinity, kInfinity, kNan, 9, -0.0F }, 0,
        4, 4);
    QVERIFY(result.has_value());
    QCOMPARE(result->counts, (Counts { 3, 1, 1, 2 }));
    QCOMPARE(result->below, std::uint64_t { 1 });
    QCOMPARE(result->above, std::uint64_t { 2 });
    QCOMPARE(result->low, 0.0F);
    QCOMPARE(result->high, 4.0F);
}

void TestTensorHistogram::oneValue()
{
    const auto result = histogramOf({ 2, 2, 3, 1, 2 }, 2, 2, 64);
    QVERIFY(result.has_value());
    QCOMPARE(result->counts, Counts { 3 });
    QCOMPARE(result->below, std::uint64_t { 1 });
    QCOMPARE(result->above, std::uint64_t { 1 });
}

void TestTensorHistogram::widestRange()
{
    constexpr float kMost = std::numeric_limits<float>::max();
    const auto result = histogramOf({ -kMost, kMost, 0, 1e30F, -1e30F }, -kMost, kMost, 2);
    QVERIFY(result.has_value());
    QCOMPARE(result->counts, (Counts { 2, 3 }));
}

void TestTensorHistogram::equalsPlainCount_data()
{
    QTest::addColumn<unsigned>("type");
    for (const auto& codec : quant::codecs()) {
        QTest::newRow(std::string(gguf::tensorTypeInfo(codec.type).name).c_str())
            << static_cast<unsigned>(codec.type);
    }
}

void TestTensorHistogram::equalsPlainCount()
{
    QFETCH(unsigned, type);
    const tests::RandomTensor random(static_cast<TensorType>(type), 768, 12,
                                     tests::RandomTensor::Numbers::Any);
    const auto statistics = eval::tensorStatistics(random.file(), random.tensor());
    QVERIFY(statistics.has_value());
    const float low = statistics->min;
    const float high = statistics->max;
    const auto result = eval::tensorHistogram(random.file(), random.tensor(), low, high);
    QVERIFY(result.has_value());
    QCOMPARE(result->counts.size(), std::size_t { 64 });
    QCOMPARE(result->below + result->above, std::uint64_t { 0 });
    QCOMPARE(std::accumulate(result->counts.begin(), result->counts.end(), std::uint64_t { 0 }),
             statistics->finite());
    // Edges in the other direction: from the bin to the value, with leeway for rounding at them.
    const double width = (double(high) - double(low)) / 64;
    for (std::size_t bin = 0; bin < 64; ++bin) {
        const double from = double(low) + width * double(bin);
        const auto inside = [&](double leeway) {
            return static_cast<std::uint64_t>(
                std::count_if(random.values().begin(), random.values().end(), [&](float value) {
                    return double(value) >= from - leeway
                        && (double(value) < from + width + leeway || (bin == 63 && value == high));
                }));
        };
        QVERIFY(result->counts[bin] >= inside(-1e-9 * width));
        QVERIFY(result->counts[bin] <= inside(1e-9 * width));
    }
}

void TestTensorHistogram::stopsAndProgress()
{
    eval::ScanProgress progress;
    QCOMPARE(progress.fraction(), 0.0);
    std::stop_source source;
    const std::vector<float> values(20000, 1);
    QVERIFY(histogramOf(values, 0, 1, 2, { source.get_token(), &progress }).has_value());
    QCOMPARE(progress.fraction(), 1.0);
    source.request_stop();
    const auto stopped = histogramOf(values, 0, 1, 2, { source.get_token(), &progress });
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    QCOMPARE(progress.fraction(), 0.0);
}

void TestTensorHistogram::errors()
{
    const auto bytes = tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(82) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto result = eval::tensorHistogram(*file, file->tensors()[0], 0, 1);
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::TensorNotDecodable);
}

QTEST_APPLESS_MAIN(TestTensorHistogram)
#include "tst_tensor_histogram.moc"
