// The search for NaN and infinite numbers: every type against its fields, the place of the first.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/bad_numbers.h"
#include "engine/quant/block_fields.h"
#include "tests/support/random_tensor.h"

#include <QtTest>

using namespace engine;
using gguf::TensorType;
using quant::FieldKind;

namespace {

std::uint32_t numberOf(TensorType type)
{
    return static_cast<std::uint32_t>(type);
}

void everyType()
{
    QTest::addColumn<unsigned>("type");
    for (const auto& codec : quant::codecs()) {
        QTest::newRow(std::string(gguf::tensorTypeInfo(codec.type).name).c_str())
            << numberOf(codec.type);
    }
}

} // namespace

class TestBadNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheFields_data() { everyType(); }
    void equalsTheFields();
    void soundTensors_data() { everyType(); }
    void soundTensors();
    void placeOfTheFirst();
    void oneInManyPlainNumbers();
    void largeDoublesAreSound();
    void stopsAndProgress();
    void typeWithoutCodec();
};

void TestBadNumbers::equalsTheFields()
{
    QFETCH(unsigned, type);
    const tests::RandomTensor random(static_cast<TensorType>(type), 1024, 40,
                                     tests::RandomTensor::Numbers::Any);
    const auto& info = *gguf::tensorTypeInfo(type);
    const auto data = random.file().data(random.tensor());
    eval::BadNumbers expected;
    for (std::size_t at = 0; at < data.size(); at += info.typeSize) {
        for (const auto& field : quant::blockFields(info.type, data.subspan(at, info.typeSize))) {
            const bool isScale = field.kind == FieldKind::Scale || field.kind == FieldKind::Min;
            const bool isFloat = field.kind == FieldKind::Number && !info.name.starts_with("I");
            const bool isSum = field.kind == FieldKind::Sum && info.type == TensorType::Q8_1;
            if (!isScale && !isFloat && !isSum) {
                continue;
            }
            ++expected.looked;
            expected.nans += std::isnan(field.value) ? 1 : 0;
            expected.infinities += std::isinf(field.value) ? 1 : 0;
            const std::uint64_t offset =
                random.tensor().data.offset + at + field.bits.begin()->first / 8;
            if (!std::isfinite(field.value)
                && (!expected.first || offset < expected.first->offset)) {
                const std::uint64_t perRow = 1024 / info.blockSize;
                expected.first = { offset, at / info.typeSize / perRow, at / info.typeSize % perRow,
                                   field.kind };
            }
        }
    }
    const auto found = eval::findBadNumbers(random.file(), random.tensor());
    QVERIFY(found.has_value());
    QCOMPARE(found->looked, expected.looked);
    QCOMPARE(found->nans, expected.nans);
    QCOMPARE(found->infinities, expected.infinities);
    QCOMPARE(found->first.has_value(), expected.first.has_value());
    if (found->first) {
        QCOMPARE(found->first->offset, expected.first->offset);
        QCOMPARE(found->first->row, expected.first->row);
        QCOMPARE(found->first->block, expected.first->block);
        QCOMPARE(found->first->kind, expected.first->kind);
    }
}

void TestBadNumbers::soundTensors()
{
    QFETCH(unsigned, type);
    const tests::RandomTensor random(static_cast<TensorType>(type), 1024, 4,
                                     tests::RandomTensor::Numbers::Finite);
    const auto found = eval::findBadNumbers(random.file(), random.tensor());
    QVERIFY(found.has_value());
    QCOMPARE(found->nans, std::uint64_t { 0 });
    QVERIFY(!found->first);
}

void TestBadNumbers::placeOfTheFirst()
{
    // Q4_1, 3 blocks a row: the min of block 1 of row 2 is infinite, all of the last block is NaN.
    std::vector<std::byte> data(3 * 4 * 20);
    data[(2 * 3 + 1) * 20 + 3] = std::byte { 0x7c };
    data[11 * 20 + 1] = std::byte { 0x7e };
    data[11 * 20 + 3] = std::byte { 0xfe };
    const auto bytes = tests::tinyGguf({ { "front", 0, { 1 }, std::vector<std::byte>(4) },
                                         { "w", numberOf(TensorType::Q4_1), { 96, 4 }, data } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto& tensor = *file->findTensor("w");
    const auto found = eval::findBadNumbers(*file, tensor);
    QVERIFY(found.has_value());
    QCOMPARE(found->looked, std::uint64_t { 24 });
    QCOMPARE(found->nans, std::uint64_t { 2 });
    QCOMPARE(found->infinities, std::uint64_t { 1 });
    QVERIFY(found->first.has_value());
    QCOMPARE(found->first->offset, tensor.data.offset + 7 * 20 + 2);
    QCOMPARE(found->first->row, std::uint64_t { 2 });
    QCOMPARE(found->first->block, std::uint64_t { 1 });
    QCOMPARE(found->first->kind, FieldKind::Min);
}

void TestBadNumbers::oneInManyPlainNumbers()
{
    std::vector<float> values(30000, 1); // several pieces of a scan
    values[17000] = -INFINITY;
    const auto bytes = tests::tinyGguf({ { "w", 0, { 100, 300 }, tests::bytesOf(values) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto found = eval::findBadNumbers(*file, file->tensors()[0]);
    QVERIFY(found.has_value());
    QCOMPARE(found->looked, std::uint64_t { 30000 });
    QCOMPARE(found->nans, std::uint64_t { 0 });
    QCOMPARE(found->infinities, std::uint64_t { 1 });
    QVERIFY(found->first.has_value());
    QCOMPARE(found->first->offset, file->tensors()[0].data.offset + 4 * 17000);
    QCOMPARE(found->first->row, std::uint64_t { 170 });
    QCOMPARE(found->first->kind, FieldKind::Number);
}

void TestBadNumbers::largeDoublesAreSound()
{
    const std::vector<double> values { 1e300, -1e300 };
    const auto bytes =
        tests::tinyGguf({ { "w", numberOf(TensorType::F64), { 2 }, tests::bytesOf(values) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto found = eval::findBadNumbers(*file, file->tensors()[0]);
    QVERIFY(found.has_value());
    QCOMPARE(found->infinities, std::uint64_t { 0 });
}

void TestBadNumbers::stopsAndProgress()
{
    const tests::RandomTensor random(TensorType::Q8_0, 1024, 4,
                                     tests::RandomTensor::Numbers::Finite);
    eval::ScanProgress progress;
    std::stop_source source;
    const eval::ScanControl control(source.get_token(), &progress);
    QVERIFY(eval::findBadNumbers(random.file(), random.tensor(), control).has_value());
    QCOMPARE(progress.fraction(), 1.0);
    source.request_stop();
    const auto stopped = eval::findBadNumbers(random.file(), random.tensor(), control);
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
}

void TestBadNumbers::typeWithoutCodec()
{
    const auto bytes = tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(82) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto found = eval::findBadNumbers(*file, file->tensors()[0]);
    QVERIFY(!found.has_value());
    QCOMPARE(found.error().code, ErrorCode::TensorNotDecodable);
}

QTEST_APPLESS_MAIN(TestBadNumbers)
#include "tst_bad_numbers.moc"
