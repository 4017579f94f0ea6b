// Decoding of every tensor type: bit for bit the values of the conformance pack, plain numbers by
// definition. SPDX-License-Identifier: Apache-2.0
#include "engine/quant/blocks_iq.h"
#include "engine/quant/codec.h"
#include "engine/quant/fp4.h"
#include "engine/quant/iq_grids.h"
#include "engine/quant/k_quants.h"
#include "tests/support/conformance.h"
#include "tests/support/quantization.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>
#include <set>

using namespace engine;
using gguf::TensorType;

namespace {

bool sameFloat(float a, float b)
{
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) && std::isnan(b);
    }
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <typename Number>
std::vector<float> decoded(TensorType type, const std::vector<Number>& numbers)
{
    // One byte off, since a file with alignment 1 has its numbers anywhere.
    std::vector<std::byte> bytes(1 + numbers.size() * sizeof(Number));
    std::memcpy(bytes.data() + 1, numbers.data(), bytes.size() - 1);
    std::vector<float> values(numbers.size());
    quant::codec(type)->decode(bytes.data() + 1, values.data(), values.size());
    return values;
}

} // namespace

class TestQuantDecode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsConformance_data();
    void equalsConformance();
    void typesOfActivations();
    void plainNumbers();
    void tableIsComplete();
    void blockSizesAreTheTypes_data();
    void blockSizesAreTheTypes();
    void unpacksScalesAndMins();
    void unpacksScalesOfQ3K();
    void smallFloats();
    void signsAreEven();
    void gridsAreAsPublished();
    void nothingToDecode();
};

void TestQuantDecode::equalsConformance_data()
{
    QTest::addColumn<QString>("name");
    for (const auto* name : { "F16",     "BF16",  "Q4_0",   "Q4_1",  "Q5_0",  "Q5_1",    "Q8_0",
                              "Q2_K",    "Q3_K",  "Q4_K",   "Q5_K",  "Q6_K",  "IQ2_XXS", "IQ2_XS",
                              "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS",  "IQ1_M",
                              "TQ1_0",   "TQ2_0", "MXFP4",  "NVFP4", "Q1_0",  "Q2_0" }) {
        QTest::newRow(name) << QString(name);
    }
}

void TestQuantDecode::equalsConformance()
{
    QFETCH(QString, name);
    const auto folder = tests::conformanceDir("quantization");
    if (!folder) {
        QSKIP(tests::missing("quantization").c_str());
    }
    const auto json = tests::readJson(*folder / (name.toStdString() + ".json"));
    QVERIFY(json.is_object());
    const auto* codec = quant::codec(static_cast<TensorType>(json["ggml_type"].get<unsigned>()));
    QVERIFY(codec && codec->decode);
    const auto blockSize = json["block_size"].get<std::size_t>();
    const auto typeSize = json["type_size"].get<std::size_t>();
    QVERIFY(json["dequantize"].size() >= 16);
    for (const auto& entry : json["dequantize"]) {
        auto bytes = tests::fromHex(entry["hex"].get<std::string>());
        const auto expected = tests::floatsOf(entry["values"]);
        const std::size_t blocks = bytes.size() / typeSize;
        QCOMPARE(blocks * typeSize, bytes.size());
        QCOMPARE(blocks * blockSize, expected.size());
        bytes.insert(bytes.begin(), std::byte { 0 }); // decode from an odd address
        std::vector<float> values(expected.size() + 1, 1234.5F);
        codec->decode(bytes.data() + 1, values.data(), blocks);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY2(sameFloat(values[i], expected[i]),
                     qPrintable(QString("element %1: %2, not %3 (%4)")
                                    .arg(i)
                                    .arg(double(values[i]), 0, 'g', 9)
                                    .arg(double(expected[i]), 0, 'g', 9)
                                    .arg(QString::fromStdString(entry["hex"].get<std::string>()))));
        }
        QCOMPARE(values.back(), 1234.5F); // nothing is written past the end
    }
}

// The conformance pack has none of them: by definition, from blocks put together byte by byte.
void TestQuantDecode::typesOfActivations()
{
    std::vector<std::byte> bytes(1 + 36 + 292); // at odd addresses
    std::byte* q81 = bytes.data() + 1;
    q81[1] = std::byte { 0x34 }; // d = 0.25
    q81[3] = std::byte { 0x7e }; // s = NaN, which no weight sees
    q81[4] = std::byte { 0x80 }; // −128
    q81[4 + 31] = std::byte { 0x7f };
    std::byte* q8k = q81 + 36;
    const float scale = -1.5F;
    std::memcpy(q8k, &scale, sizeof scale);
    q8k[4 + 1] = std::byte { 0xff }; // −1
    q8k[4 + 255] = std::byte { 0x05 };
    std::memset(q8k + 4 + 256, 0x7f, 32); // sums
    std::vector<float> values(32 + 256 + 1, 1234.5F);
    quant::codec(TensorType::Q8_1)->decode(q81, values.data(), 1);
    quant::codec(TensorType::Q8_K)->decode(q8k, values.data() + 32, 1);
    QCOMPARE(values[0], -32.0F);
    QCOMPARE(values[1], 0.0F);
    QCOMPARE(values[31], 31.75F);
    QCOMPARE(values[32 + 1], 1.5F);
    QCOMPARE(values[32 + 2], 0.0F);
    QCOMPARE(values[32 + 255], -7.5F);
    QCOMPARE(values.back(), 1234.5F);
}

void TestQuantDecode::plainNumbers()
{
    const std::vector<float> floats { 0, -0.0F, 1e-42F, -3.5F, INFINITY };
    const auto same = decoded(TensorType::F32, floats);
    QVERIFY(std::memcmp(same.data(), floats.data(), floats.size() * sizeof(float)) == 0);

    QCOMPARE(decoded(TensorType::F64, std::vector<double> { 0.1, -2.0, 1e-60, 1e300, -INFINITY }),
             (std::vector<float> { 0.1F, -2.0F, 0.0F, INFINITY, -INFINITY }));
    QVERIFY(std::isnan(decoded(TensorType::F64, std::vector { double(NAN) })[0]));
    QCOMPARE(decoded(TensorType::I8, std::vector<std::int8_t> { 0, -128, 127, -1 }),
             (std::vector<float> { 0.0F, -128.0F, 127.0F, -1.0F }));
    QCOMPARE(decoded(TensorType::I16, std::vector<std::int16_t> { -32768, 32767, 258 }),
             (std::vector<float> { -32768.0F, 32767.0F, 258.0F }));
    QCOMPARE(decoded(TensorType::I32, std::vector<std::int32_t> { INT32_MIN, INT32_MAX, 16777217 }),
             (std::vector<float> { -0x1p31F, 0x1p31F, 16777216.0F }));
    QCOMPARE(decoded(TensorType::I64, std::vector<std::int64_t> { INT64_MIN, INT64_MAX, -5 }),
             (std::vector<float> { -0x1p63F, 0x1p63F, -5.0F }));
}

void TestQuantDecode::tableIsComplete()
{
    QCOMPARE(quant::codecs().size(), gguf::tensorTypes().size());
    for (const auto& entry : quant::codecs()) {
        QVERIFY(entry.decode);
        QCOMPARE(quant::codec(entry.type), &entry);
    }
    QVERIFY(!quant::codec(static_cast<TensorType>(4)));
    QVERIFY(!quant::codec(static_cast<TensorType>(0xffffffffU)));
}

void TestQuantDecode::blockSizesAreTheTypes_data()
{
    QTest::addColumn<unsigned>("type");
    QTest::addColumn<std::size_t>("elements");
    QTest::addColumn<std::size_t>("bytes");
    const auto row = [](const char* name, TensorType type, std::size_t elements,
                        std::size_t bytes) {
        QTest::newRow(name) << static_cast<unsigned>(type) << elements << bytes;
    };
    using namespace quant;
    row("Q4_0", TensorType::Q4_0, BlockQ4_0::kSize, sizeof(BlockQ4_0));
    row("Q4_1", TensorType::Q4_1, BlockQ4_1::kSize, sizeof(BlockQ4_1));
    row("Q5_0", TensorType::Q5_0, BlockQ5_0::kSize, sizeof(BlockQ5_0));
    row("Q5_1", TensorType::Q5_1, BlockQ5_1::kSize, sizeof(BlockQ5_1));
    row("Q8_0", TensorType::Q8_0, BlockQ8_0::kSize, sizeof(BlockQ8_0));
    row("Q8_1", TensorType::Q8_1, BlockQ8_1::kSize, sizeof(BlockQ8_1));
    row("Q8_K", TensorType::Q8_K, BlockQ8_K::kSize, sizeof(BlockQ8_K));
    row("Q2_K", TensorType::Q2_K, BlockQ2_K::kSize, sizeof(BlockQ2_K));
    row("Q3_K", TensorType::Q3_K, BlockQ3_K::kSize, sizeof(BlockQ3_K));
    row("Q4_K", TensorType::Q4_K, BlockQ4_K::kSize, sizeof(BlockQ4_K));
    row("Q5_K", TensorType::Q5_K, BlockQ5_K::kSize, sizeof(BlockQ5_K));
    row("Q6_K", TensorType::Q6_K, BlockQ6_K::kSize, sizeof(BlockQ6_K));
    row("IQ2_XXS", TensorType::IQ2_XXS, BlockIQ2_XXS::kSize, sizeof(BlockIQ2_XXS));
    row("IQ2_XS", TensorType::IQ2_XS, BlockIQ2_XS::kSize, sizeof(BlockIQ2_XS));
    row("IQ3_XXS", TensorType::IQ3_XXS, BlockIQ3_XXS::kSize, sizeof(BlockIQ3_XXS));
    row("IQ1_S", TensorType::IQ1_S, BlockIQ1_S::kSize, sizeof(BlockIQ1_S));
    row("IQ4_NL", TensorType::IQ4_NL, BlockIQ4_NL::kSize, sizeof(BlockIQ4_NL));
    row("IQ3_S", TensorType::IQ3_S, BlockIQ3_S::kSize, sizeof(BlockIQ3_S));
    row("IQ2_S", TensorType::IQ2_S, BlockIQ2_S::kSize, sizeof(BlockIQ2_S));
    row("IQ4_XS", TensorType::IQ4_XS, BlockIQ4_XS::kSize, sizeof(BlockIQ4_XS));
    row("IQ1_M", TensorType::IQ1_M, BlockIQ1_M::kSize, sizeof(BlockIQ1_M));
    row("TQ1_0", TensorType::TQ1_0, BlockTQ1_0::kSize, sizeof(BlockTQ1_0));
    row("TQ2_0", TensorType::TQ2_0, BlockTQ2_0::kSize, sizeof(BlockTQ2_0));
    row("MXFP4", TensorType::MXFP4, BlockMXFP4::kSize, sizeof(BlockMXFP4));
    row("NVFP4", TensorType::NVFP4, BlockNVFP4::kSize, sizeof(BlockNVFP4));
    row("Q1_0", TensorType::Q1_0, BlockQ1_0::kSize, sizeof(BlockQ1_0));
    row("Q2_0", TensorType::Q2_0, BlockQ2_0::kSize, sizeof(BlockQ2_0));
}

void TestQuantDecode::blockSizesAreTheTypes()
{
    QFETCH(unsigned, type);
    QFETCH(std::size_t, elements);
    QFETCH(std::size_t, bytes);
    const auto* info = gguf::tensorTypeInfo(type);
    QVERIFY(info);
    QCOMPARE(std::size_t { info->blockSize }, elements);
    QCOMPARE(std::size_t { info->typeSize }, bytes);
}

void TestQuantDecode::unpacksScalesAndMins()
{
    // Pack all different numbers by the layout's definition, unpack them again.
    const std::uint8_t scales[8] = { 1, 22, 43, 63, 0, 17, 38, 62 };
    const std::uint8_t mins[8] = { 60, 5, 33, 21, 59, 2, 48, 31 };
    std::uint8_t packed[12] = {};
    for (unsigned i = 0; i < 4; ++i) {
        packed[i] = static_cast<std::uint8_t>(scales[i] | (scales[i + 4] >> 4U) << 6U);
        packed[i + 4] = static_cast<std::uint8_t>(mins[i] | (mins[i + 4] >> 4U) << 6U);
        packed[i + 8] =
            static_cast<std::uint8_t>((scales[i + 4] & 15U) | (mins[i + 4] & 15U) << 4U);
    }
    std::uint8_t gotScales[8];
    std::uint8_t gotMins[8];
    quant::unpackScalesMins(packed, gotScales, gotMins);
    QVERIFY(std::memcmp(gotScales, scales, sizeof scales) == 0);
    QVERIFY(std::memcmp(gotMins, mins, sizeof mins) == 0);
}

void TestQuantDecode::unpacksScalesOfQ3K()
{
    std::uint8_t packed[12] = {};
    std::int8_t expected[16];
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned raw = i * 29U % 64U;
        expected[i] = static_cast<std::int8_t>(static_cast<int>(raw) - 32);
        packed[i % 8] = static_cast<std::uint8_t>(packed[i % 8] | (raw & 15U) << (i / 8U * 4U));
        packed[8 + i % 4] =
            static_cast<std::uint8_t>(packed[8 + i % 4] | (raw >> 4U) << (i / 4U * 2U));
    }
    std::int8_t scales[16];
    quant::unpackScalesQ3K(packed, scales);
    QVERIFY(std::memcmp(scales, expected, sizeof scales) == 0);
}

void TestQuantDecode::smallFloats()
{
    // The numbers of the two standards, halved.
    QCOMPARE(quant::e8m0ToFloat(0), 0x1p-128F);
    QCOMPARE(quant::e8m0ToFloat(1), 0x1p-127F);
    QCOMPARE(quant::e8m0ToFloat(2), 0x1p-126F);
    QCOMPARE(quant::e8m0ToFloat(128), 1.0F);
    QCOMPARE(quant::e8m0ToFloat(255), 0x1p127F);
    QCOMPARE(quant::e4m3ToFloat(0), 0.0F);
    QCOMPARE(quant::e4m3ToFloat(1), 0x1p-10F);
    QCOMPARE(quant::e4m3ToFloat(7), 7 * 0x1p-10F);
    QCOMPARE(quant::e4m3ToFloat(8), 0x1p-7F);
    QCOMPARE(quant::e4m3ToFloat(0x38), 0.5F);
    QCOMPARE(quant::e4m3ToFloat(0x7e), 224.0F); // 448, the largest
    QCOMPARE(quant::e4m3ToFloat(0x7f), 0.0F);
    QCOMPARE(quant::e4m3ToFloat(0xb8), 0.5F); // the top bit is not used
}

void TestQuantDecode::signsAreEven()
{
    for (unsigned seven = 0; seven < 128; ++seven) {
        const unsigned eight = quant::eightSigns(seven);
        QCOMPARE(eight & 127U, seven);
        QCOMPARE(std::popcount(eight) % 2, 0);
        QVERIFY(eight < 256);
    }
}

// Sums over all weights that were counted in the published tables, and that no two entries equal.
void TestQuantDecode::gridsAreAsPublished()
{
    const auto sumOf = [](const auto& grid) {
        int sum = 0;
        std::set<std::uint64_t> entries;
        for (const auto entry : grid.entries) {
            entries.insert(entry);
            for (std::size_t j = 0; j < sizeof entry; ++j) {
                sum += quant::gridWeight(entry, j);
            }
        }
        return std::pair(sum, entries.size());
    };
    QCOMPARE(sumOf(quant::kGridIQ1), std::pair(-15, std::size_t { 2048 }));
    QCOMPARE(sumOf(quant::kGridIQ2_XXS), std::pair(38611, std::size_t { 256 }));
    QCOMPARE(sumOf(quant::kGridIQ2_XS), std::pair(81582, std::size_t { 512 }));
    QCOMPARE(sumOf(quant::kGridIQ2_S), std::pair(167589, std::size_t { 1024 }));
    QCOMPARE(sumOf(quant::kGridIQ3_XXS), std::pair(25592, std::size_t { 256 }));
    QCOMPARE(sumOf(quant::kGridIQ3_S), std::pair(12748, std::size_t { 512 }));
}

void TestQuantDecode::nothingToDecode()
{
    for (const auto& entry : quant::codecs()) {
        entry.decode(nullptr, nullptr, 0);
        if (entry.encode) {
            entry.encode(nullptr, nullptr, 0);
        }
    }
}

QTEST_APPLESS_MAIN(TestQuantDecode)
#include "tst_quant_decode.moc"
