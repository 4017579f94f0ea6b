// Statistics of a tensor against a plain two-pass count, for plain and quantized types, with odd
// values and bad files. SPDX-License-Identifier: Apache-2.0
#include "engine/eval/tensor_statistics.h"
#include "engine/quant/codec.h"
#include "tests/support/tiny_gguf.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace engine;
using gguf::TensorType;
using tests::TinyTensor;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::uint32_t numberOf(TensorType type)
{
    return static_cast<std::uint32_t>(type);
}

/// Statistics of the only tensor of a file made of these bytes.
Result<eval::TensorStatistics> statisticsOf(const std::vector<std::byte>& bytes,
                                            std::stop_token stop = {})
{
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf");
    if (!file) {
        return tl::unexpected(file.error());
    }
    return eval::tensorStatistics(**file, (*file)->tensors()[0], stop);
}

std::vector<float> randomValues(std::size_t count, float offset)
{
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (auto& value : values) {
        value = normal(random) + offset;
    }
    return values;
}

} // namespace

class TestTensorStatistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsByHand();
    void oddValuesOnly();
    void equalsTwoPasses_data();
    void equalsTwoPasses();
    void farFromZero();
    void emptyTensor();
    void stops();
    void errors_data();
    void errors();
    void errorNamesTensorAndType();
};

void TestTensorStatistics::countsByHand()
{
    const std::vector<float> values {
        1, -0.0F, 0, kNan, 3, -kInfinity, -4, kInfinity, kInfinity, 5
    };
    const auto result = statisticsOf(
        tests::tinyGguf({ { "w", numberOf(TensorType::F32), { 5, 2 }, tests::bytesOf(values) } }));
    QVERIFY(result.has_value());
    QCOMPARE(result->elements, std::uint64_t { 10 });
    QCOMPARE(result->zeros, std::uint64_t { 2 });
    QCOMPARE(result->nans, std::uint64_t { 1 });
    QCOMPARE(result->infinities, std::uint64_t { 3 });
    QCOMPARE(result->finite(), std::uint64_t { 6 });
    QCOMPARE(result->min, -4.0F);
    QCOMPARE(result->max, 5.0F);
    QCOMPARE(result->mean, 5.0 / 6.0);
    // squares sum to 51: variance 51/6 − (5/6)²
    QCOMPARE(result->standardDeviation, std::sqrt(51.0 / 6.0 - 25.0 / 36.0));
}

void TestTensorStatistics::oddValuesOnly()
{
    const auto result = statisticsOf(tests::tinyGguf(
        { { "w", numberOf(TensorType::F32), { 2 }, tests::bytesOf<float>({ kNan, kInfinity }) } }));
    QVERIFY(result.has_value());
    QCOMPARE(result->finite(), std::uint64_t { 0 });
    QCOMPARE(result->min, 0.0F);
    QCOMPARE(result->max, 0.0F);
    QCOMPARE(result->mean, 0.0);
    QCOMPARE(result->standardDeviation, 0.0);
}

void TestTensorStatistics::equalsTwoPasses_data()
{
    QTest::addColumn<unsigned>("type");
    for (const auto& codec : quant::codecs()) {
        if (codec.encode) {
            const auto& info = gguf::tensorTypeInfo(codec.type);
            QTest::newRow(std::string(info.name).c_str()) << numberOf(codec.type);
        }
    }
}

void TestTensorStatistics::equalsTwoPasses()
{
    QFETCH(unsigned, type);
    // Several pieces, the last one short.
    constexpr std::size_t kRow = 608;
    constexpr std::size_t kRows = 51;
    const auto values = randomValues(kRow * kRows, 0.5F);
    const auto* info = gguf::tensorTypeInfo(type);
    const auto* codec = quant::codec(info->type);
    const std::size_t blocks = values.size() / info->blockSize;
    std::vector<std::byte> data(blocks * info->typeSize);
    codec->encode(values.data(), data.data(), blocks);
    std::vector<float> decoded(values.size());
    codec->decode(data.data(), decoded.data(), blocks);

    double sum = 0;
    for (const float value : decoded) {
        sum += double(value);
    }
    const double mean = sum / double(decoded.size());
    double squares = 0;
    for (const float value : decoded) {
        squares += (double(value) - mean) * (double(value) - mean);
    }
    const auto result = statisticsOf(tests::tinyGguf({ { "w", type, { kRow, kRows }, data } }));
    QVERIFY(result.has_value());
    QCOMPARE(result->elements, std::uint64_t { decoded.size() });
    QCOMPARE(result->zeros,
             static_cast<std::uint64_t>(std::count(decoded.begin(), decoded.end(), 0.0F)));
    QCOMPARE(result->min, *std::min_element(decoded.begin(), decoded.end()));
    QCOMPARE(result->max, *std::max_element(decoded.begin(), decoded.end()));
    QVERIFY(std::fabs(result->mean - mean) < 1e-12);
    const double deviation = std::sqrt(squares / double(decoded.size()));
    QVERIFY(std::fabs(result->standardDeviation - deviation) < 1e-12);
}

void TestTensorStatistics::farFromZero()
{
    // A spread of 0.5 around a million: E[x²] − E[x]² in float would be lost altogether.
    std::vector<float> values(20000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 2 ? 1000000.5F : 999999.5F;
    }
    const auto result = statisticsOf(tests::tinyGguf(
        { { "w", numberOf(TensorType::F32), { values.size() }, tests::bytesOf(values) } }));
    QVERIFY(result.has_value());
    QCOMPARE(result->mean, 1000000.0);
    QVERIFY(std::fabs(result->standardDeviation - 0.5) < 1e-9);
}

void TestTensorStatistics::emptyTensor()
{
    const auto result = statisticsOf(tests::tinyGguf(
        { { "w", numberOf(TensorType::F32), { 4, 0 }, {} },
          { "v", numberOf(TensorType::F32), { 1 }, tests::bytesOf<float>({ 1 }) } }));
    QVERIFY(result.has_value());
    QCOMPARE(result->elements, std::uint64_t { 0 });
    QCOMPARE(result->standardDeviation, 0.0);
}

void TestTensorStatistics::stops()
{
    std::stop_source source;
    source.request_stop();
    const auto result = statisticsOf(
        tests::tinyGguf(
            { { "w", numberOf(TensorType::F32), { 1 }, tests::bytesOf<float>({ 1 }) } }),
        source.get_token());
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
}

void TestTensorStatistics::errors_data()
{
    QTest::addColumn<unsigned>("type");
    QTest::addColumn<std::uint64_t>("rowLength");
    QTest::addColumn<std::size_t>("bytes");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("unknown type") << 99999U << std::uint64_t { 32 } << std::size_t { 64 }
                                  << ErrorCode::TensorNotDecodable;
    QTest::newRow("of a fork") << 144U << std::uint64_t { 256 } << std::size_t { 136 }
                               << ErrorCode::TensorNotDecodable;
    QTest::newRow("row of no whole blocks") << numberOf(TensorType::Q4_0) << std::uint64_t { 33 }
                                            << std::size_t { 36 } << ErrorCode::GgufTensorRow;
    QTest::newRow("cut short") << numberOf(TensorType::F32) << std::uint64_t { 32 }
                               << std::size_t { 100 } << ErrorCode::TensorDataIncomplete;
    QTest::newRow("far too large") << numberOf(TensorType::Q8_0) << (std::uint64_t { 1 } << 60U)
                                   << std::size_t { 34 } << ErrorCode::TensorDataIncomplete;
}

void TestTensorStatistics::errors()
{
    QFETCH(unsigned, type);
    QFETCH(std::uint64_t, rowLength);
    QFETCH(std::size_t, bytes);
    QFETCH(ErrorCode, code);
    const auto result = statisticsOf(
        tests::tinyGguf({ { "w", type, { rowLength }, std::vector<std::byte>(bytes) } }));
    QVERIFY(!result.has_value());
    QCOMPARE(errorSlug(result.error().code), errorSlug(code));
    QCOMPARE(result.error().where.subject, std::string("w"));
    QCOMPARE(result.error().where.file, std::string("tiny.gguf"));
}

void TestTensorStatistics::errorNamesTensorAndType()
{
    const auto result =
        statisticsOf(tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(56) } }));
    QVERIFY(!result.has_value());
    const auto sentence = englishSentence(result.error());
    QVERIFY2(sentence.find("IQ4_KS of ik_llama.cpp") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find("w") != std::string::npos, sentence.c_str());
}

QTEST_APPLESS_MAIN(TestTensorStatistics)
#include "tst_tensor_statistics.moc"
