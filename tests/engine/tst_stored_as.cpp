// The same weights as other types: which types there are, their bytes, values and errors against
// the codec. SPDX-License-Identifier: Apache-2.0
#include "engine/eval/stored_as.h"
#include "engine/quant/codec.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace engine;
using gguf::TensorType;

namespace {

struct Own
{
    std::vector<float> values;
    std::vector<std::byte> bytes;
};

/// Random weights as they come out of `type`.
Own weights(TensorType type, std::size_t count)
{
    const auto& info = gguf::tensorTypeInfo(type);
    const auto* codec = quant::codec(type);
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0.01F, 0.05F);
    Own own;
    own.values.resize(count);
    std::generate(own.values.begin(), own.values.end(), [&] { return normal(random); });
    own.bytes.resize(count / info.blockSize * info.typeSize);
    if (codec->encode) {
        codec->encode(own.values.data(), own.bytes.data(), count / info.blockSize);
    } else { // no NaN: the exponents of halves stay small
        std::generate(own.bytes.begin(), own.bytes.end(),
                      [&] { return static_cast<std::byte>(random() & 0x3bU); });
    }
    codec->decode(own.bytes.data(), own.values.data(), count / info.blockSize);
    return own;
}

QStringList typesOf(const std::vector<eval::StoredWeights>& all)
{
    QStringList names;
    for (const auto& stored : all) {
        const auto name = gguf::tensorTypeInfo(stored.type).name;
        names << QString::fromLatin1(name.data(), qsizetype(name.size()));
    }
    return names;
}

} // namespace

class TestStoredAs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void types_data();
    void types();
    void errorsByHand_data();
    void errorsByHand();
    void ownIsKept();
    void oddValues();
};

void TestStoredAs::types_data()
{
    QTest::addColumn<unsigned>("own");
    QTest::addColumn<int>("count");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* name, TensorType own, int count, const QStringList& expected) {
        QTest::newRow(name) << static_cast<unsigned>(own) << count << expected;
    };
    const QStringList all { "F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0" };
    row("a block of 32", TensorType::Q4_0, 32, all);
    row("a type without encoder", TensorType::Q4_K, 256,
        { "F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0", "Q4_K" });
    row("no whole blocks", TensorType::F16, 31, { "F32", "BF16", "F16" });
    row("a wide type", TensorType::F64, 32,
        { "F64", "F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0" });
}

void TestStoredAs::types()
{
    QFETCH(unsigned, own);
    QFETCH(int, count);
    QFETCH(QStringList, expected);
    const auto type = static_cast<TensorType>(own);
    const Own source = weights(type, static_cast<std::size_t>(count));
    const auto all = eval::storedAs(source.values, type, source.bytes);
    QCOMPARE(typesOf(all), expected);
    for (const auto& stored : all) {
        QCOMPARE(stored.isOwn, stored.type == type);
        const auto& info = gguf::tensorTypeInfo(stored.type);
        QCOMPARE(stored.bytes.size(), source.values.size() / info.blockSize * info.typeSize);
    }
}

void TestStoredAs::errorsByHand_data()
{
    QTest::addColumn<unsigned>("own");
    for (const auto type : { TensorType::F32, TensorType::Q5_1, TensorType::Q6_K }) {
        QTest::newRow(std::string(gguf::tensorTypeInfo(type).name).c_str())
            << static_cast<unsigned>(type);
    }
}

void TestStoredAs::errorsByHand()
{
    QFETCH(unsigned, own);
    const auto type = static_cast<TensorType>(own);
    const Own source = weights(type, 256);
    bool sawError = false;
    for (const auto& stored : eval::storedAs(source.values, type, source.bytes)) {
        const auto& info = gguf::tensorTypeInfo(stored.type);
        std::vector<float> decoded(256);
        quant::codec(stored.type)
            ->decode(stored.bytes.data(), decoded.data(), 256 / info.blockSize);
        QCOMPARE(stored.values, decoded);
        double squares = 0;
        double most = 0;
        for (std::size_t i = 0; i < 256; ++i) {
            const double error = std::fabs(double(decoded[i]) - double(source.values[i]));
            squares += error * error;
            most = std::max(most, error);
        }
        QCOMPARE(stored.rmse, std::sqrt(squares / 256));
        QCOMPARE(stored.maxError, most);
        sawError = sawError || stored.rmse > 0;
    }
    QVERIFY(sawError);
}

void TestStoredAs::ownIsKept()
{
    // Encoding decoded weights anew need not give their bytes back; here the bytes must stay.
    Own source = weights(TensorType::Q4_0, 32);
    for (std::size_t i = 2; i < source.bytes.size(); ++i) {
        source.bytes[i] = std::byte { 0x99 }; // all levels 9: an encoder would take level 0
    }
    quant::codec(TensorType::Q4_0)->decode(source.bytes.data(), source.values.data(), 1);
    for (const auto& stored : eval::storedAs(source.values, TensorType::Q4_0, source.bytes)) {
        if (stored.isOwn) {
            QVERIFY(stored.bytes == source.bytes);
            QCOMPARE(stored.rmse, 0.0);
            QCOMPARE(stored.maxError, 0.0);
        }
    }
}

void TestStoredAs::oddValues()
{
    const std::vector<float> values { NAN, INFINITY, -INFINITY, 70000, 1 };
    const auto bytes = std::as_bytes(std::span(values));
    for (const auto& stored : eval::storedAs(values, TensorType::F32, bytes)) {
        if (stored.type == TensorType::F16) { // 70000 is out of its range, the others stay
            QCOMPARE(stored.maxError, double(INFINITY));
            QCOMPARE(stored.rmse, double(INFINITY));
        } else if (stored.type == TensorType::BF16) {
            QCOMPARE(stored.maxError, std::fabs(double(stored.values[3]) - 70000.0));
        }
    }
}

QTEST_APPLESS_MAIN(TestStoredAs)
#include "tst_stored_as.moc"
