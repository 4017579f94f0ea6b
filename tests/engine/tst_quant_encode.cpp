// Encoding: byte for byte the reference's blocks where the pack calls them exact, and no harm from
// odd input. SPDX-License-Identifier: Apache-2.0
#include "engine/quant/codec.h"
#include "tests/support/conformance.h"
#include "tests/support/quantization.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace engine;
using gguf::TensorType;

namespace {

double rmse(const std::vector<float>& a, const std::vector<float>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = double(a[i]) - double(b[i]);
        sum += difference * difference;
    }
    return std::sqrt(sum / double(a.size()));
}

constexpr auto kEncoded = { "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0" };

} // namespace

class TestQuantEncode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsConformance_data();
    void equalsConformance();
    void floatsAreKept();
    void halvesOfQ8_0GoAwayFromZero();
    void oddInput_data();
    void oddInput();
};

void TestQuantEncode::equalsConformance_data()
{
    QTest::addColumn<QString>("name");
    for (const auto* name : kEncoded) {
        QTest::newRow(name) << QString(name);
    }
}

void TestQuantEncode::equalsConformance()
{
    QFETCH(QString, name);
    const auto folder = tests::conformanceDir("quantization");
    if (!folder) {
        QSKIP(tests::missing("quantization").c_str());
    }
    const auto rows = tests::readJson(*folder / "rows.json");
    const auto json = tests::readJson(*folder / (name.toStdString() + ".json"));
    QVERIFY(rows.is_array() && json.is_object());
    QVERIFY(json["exact"].get<bool>());
    QCOMPARE(json["quantize"].size(), rows.size());
    const auto* codec = quant::codec(static_cast<TensorType>(json["ggml_type"].get<unsigned>()));
    QVERIFY(codec && codec->encode);
    const auto blockSize = json["block_size"].get<std::size_t>();
    const auto typeSize = json["type_size"].get<std::size_t>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto rowName = rows[i]["name"].get<std::string>();
        const auto& expected = json["quantize"][i];
        const auto values = tests::floatsOf(rows[i]["values"]);
        const std::size_t blocks = values.size() / blockSize;
        std::vector<std::byte> bytes(blocks * typeSize);
        codec->encode(values.data(), bytes.data(), blocks);
        QVERIFY2(tests::toHex(bytes) == expected["hex"].get<std::string>(), rowName.c_str());

        std::vector<float> back(values.size());
        codec->decode(bytes.data(), back.data(), blocks);
        const double error = rmse(values, back);
        const auto reference = expected["rmse"].get<double>();
        QVERIFY2(std::fabs(error - reference) <= 1e-6 * reference + 1e-30, rowName.c_str());
    }
}

void TestQuantEncode::floatsAreKept()
{
    const std::vector<float> values { 1.5F, -0.0F, INFINITY, 1e-42F };
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    const auto* codec = quant::codec(TensorType::F32);
    codec->encode(values.data(), bytes.data(), values.size());
    std::vector<float> back(values.size());
    codec->decode(bytes.data(), back.data(), back.size());
    QCOMPARE(back, values);
}

void TestQuantEncode::halvesOfQ8_0GoAwayFromZero()
{
    std::vector<float> values(32, 0.0F);
    const std::vector<float> head { 127, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F, 0.4999F };
    std::copy(head.begin(), head.end(), values.begin()); // the scale is 1
    std::vector<std::byte> bytes(34);
    const auto* codec = quant::codec(TensorType::Q8_0);
    codec->encode(values.data(), bytes.data(), 1);
    std::vector<float> back(32);
    codec->decode(bytes.data(), back.data(), 1);
    back.resize(head.size());
    QCOMPARE(back, (std::vector<float> { 127, 1, 2, 3, -1, -2, -3, 0 }));
}

void TestQuantEncode::oddInput_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<float>("odd");
    QTest::addColumn<bool>("whole"); // the whole block, or its seventh element
    const std::map<std::string, float> values {
        { "zero", 0.0F },           { "NaN", NAN },          { "infinity", INFINITY },
        { "-infinity", -INFINITY }, { "subnormal", 1e-42F }, { "largest", -3.4e38F }
    };
    for (const auto* name : kEncoded) {
        for (const auto& [label, value] : values) {
            QTest::addRow("%s %s block", name, label.c_str()) << QString(name) << value << true;
            QTest::addRow("%s %s element", name, label.c_str()) << QString(name) << value << false;
        }
    }
}

void TestQuantEncode::oddInput()
{
    QFETCH(QString, name);
    QFETCH(float, odd);
    QFETCH(bool, whole);
    const auto type = gguf::tensorTypeByName(name.toStdString());
    QVERIFY(type);
    const auto& info = gguf::tensorTypeInfo(*type);
    const auto* codec = quant::codec(*type);
    std::vector<float> values(64);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = float(i % 32) - 15.0F;
    }
    const std::vector<float> plain = values;
    for (std::size_t i = 0; i < 32; ++i) {
        values[i] = whole || i == 6 ? odd : values[i];
    }
    const std::size_t blocks = values.size() / info.blockSize;
    std::vector<std::byte> bytes(blocks * info.typeSize);
    codec->encode(values.data(), bytes.data(), blocks);
    std::vector<float> back(values.size());
    codec->decode(bytes.data(), back.data(), blocks);
    for (std::size_t i = 32; i < 64; ++i) { // what is odd stays in its block
        QVERIFY(std::fabs(back[i] - plain[i]) <= 1.1F);
    }
    if (whole && (odd == 0 || std::fabs(odd) == 1e-42F)) {
        for (std::size_t i = 0; i < 32; ++i) {
            QVERIFY(std::fabs(back[i]) <= 1e-7F);
        }
    }
}

QTEST_APPLESS_MAIN(TestQuantEncode)
#include "tst_quant_encode.moc"
