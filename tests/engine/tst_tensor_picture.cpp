// Pictures of tensors against cells counted one number at a time, for every type, area and size.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/tensor_picture.h"
#include "engine/quant/block_fields.h"
#include "tests/support/random_tensor.h"

#include <QtTest>

using namespace engine;
using eval::CellValue;
using eval::PictureArea;
using eval::PictureOf;
using eval::PictureRequest;
using gguf::TensorType;
using tests::RandomTensor;

namespace {

constexpr std::uint64_t kColumns = 9216; // more than a piece of a scan
constexpr std::uint64_t kRows = 7;

/// The numbers that a picture is of, row by row.
std::vector<double> numbersOf(const RandomTensor& random, PictureOf of)
{
    if (of == PictureOf::Values) {
        return { random.values().begin(), random.values().end() };
    }
    std::vector<double> scales;
    const auto& info = *random.tensor().typeInfo();
    const auto data = random.file().data(random.tensor());
    for (std::size_t at = 0; at < data.size(); at += info.typeSize) {
        for (const auto& field : quant::blockFields(info.type, data.subspan(at, info.typeSize))) {
            if (field.kind == quant::FieldKind::Scale) {
                scales.push_back(field.value); // the first where every group has one
                break;
            }
        }
    }
    return scales;
}

/// Compares every cell with one that is made of its numbers.
void compare(const eval::TensorPicture& picture, const std::vector<double>& numbers,
             std::uint64_t columns, CellValue what)
{
    std::uint64_t bad = 0;
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            double sum = 0;
            double sumOfMagnitudes = 0;
            double largest = 0;
            double count = 0;
            bool isFinite = true;
            for (auto row = picture.rowOf(y); row < picture.rowOf(y + 1); ++row) {
                for (auto column = picture.columnOf(x); column < picture.columnOf(x + 1);
                     ++column) {
                    const double number = numbers.at(row * columns + column);
                    isFinite = isFinite && std::isfinite(number);
                    sum += number;
                    sumOfMagnitudes += std::fabs(number);
                    largest = std::max(largest, std::fabs(number));
                    ++count;
                }
            }
            QVERIFY(count > 0);
            const float cell = picture.at(x, y);
            bad += std::isnan(cell) ? 1 : 0;
            QCOMPARE(std::isnan(cell), !isFinite);
            if (!isFinite) {
                continue;
            }
            QVERIFY(picture.min <= cell && cell <= picture.max);
            if (what == CellValue::LargestMagnitude) {
                QCOMPARE(double(cell), largest);
            } else if (count == 1) {
                QCOMPARE(double(cell), sum);
            } else { // in another order, and rounded to a float
                QVERIFY(std::fabs(double(cell) - sum / count) <= 1e-7 * sumOfMagnitudes / count);
            }
        }
    }
    QCOMPARE(picture.badCells, bad);
}

void everyType()
{
    QTest::addColumn<unsigned>("type");
    for (const auto& codec : quant::codecs()) {
        QTest::newRow(std::string(gguf::tensorTypeInfo(codec.type).name).c_str())
            << static_cast<unsigned>(codec.type);
    }
}

} // namespace

class TestTensorPicture : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCell_data() { everyType(); }
    void everyCell();
    void areas_data();
    void areas();
    void singleWeights();
    void badCells();
    void noScales();
    void emptyPictures();
    void stopsAndProgress();
    void errors();
};

void TestTensorPicture::everyCell()
{
    QFETCH(unsigned, type);
    const RandomTensor random(static_cast<TensorType>(type), kColumns, kRows,
                              RandomTensor::Numbers::Finite);
    for (const auto of : { PictureOf::Values, PictureOf::Scales }) {
        const auto size = eval::pictureSize(random.file(), random.tensor(), of);
        if (!size) { // checked below
            QCOMPARE(random.tensor().typeInfo()->blockSize, 1U);
            continue;
        }
        const auto numbers = numbersOf(random, of);
        QCOMPARE(size->rows, random.rows());
        QCOMPARE(size->rows * size->columns, std::uint64_t { numbers.size() });
        for (const auto what : { CellValue::Mean, CellValue::LargestMagnitude }) {
            const auto picture = eval::tensorPicture(
                random.file(), random.tensor(),
                { .of = of, .cell = what, .area = {}, .width = 100, .height = 5 });
            QVERIFY(picture.has_value());
            QVERIFY(picture->area == *size);
            QCOMPARE(picture->width, std::uint32_t(std::min<std::uint64_t>(100, size->columns)));
            QCOMPARE(picture->height, 5U);
            QCOMPARE(picture->columnOf(picture->width), size->columns);
            QCOMPARE(picture->rowOf(5), size->rows);
            compare(*picture, numbers, size->columns, what);
        }
    }
}

void TestTensorPicture::areas_data()
{
    QTest::addColumn<QVector<quint64>>("area");
    QTest::addColumn<QVector<quint64>>("shown");
    QTest::newRow("inside") << QVector<quint64> { 3, 5, 100, 8300 }
                            << QVector<quint64> { 3, 5, 100, 8300 };
    QTest::newRow("inside of a block")
        << QVector<quint64> { 0, 14, 259, 3 } << QVector<quint64> { 0, 14, 259, 3 };
    QTest::newRow("over the edge")
        << QVector<quint64> { 12, 100, 9000, 1000 } << QVector<quint64> { 12, 2, 9000, 216 };
    QTest::newRow("one number") << QVector<quint64> { 13, 1, 9215, 1 }
                                << QVector<quint64> { 13, 1, 9215, 1 };
    QTest::newRow("around a piece")
        << QVector<quint64> { 1, 3, 8190, 5 } << QVector<quint64> { 1, 3, 8190, 5 };
}

void TestTensorPicture::areas()
{
    QFETCH(QVector<quint64>, area);
    QFETCH(QVector<quint64>, shown);
    for (const auto type : { TensorType::F16, TensorType::Q4_1, TensorType::Q6_K }) {
        const RandomTensor random(type, kColumns, kRows, RandomTensor::Numbers::Finite);
        const PictureRequest request { .area = { area[0], area[1], area[2], area[3] },
                                       .width = 64,
                                       .height = 3 };
        const auto picture = eval::tensorPicture(random.file(), random.tensor(), request);
        QVERIFY(picture.has_value());
        QVERIFY((picture->area == PictureArea { shown[0], shown[1], shown[2], shown[3] }));
        compare(*picture, numbersOf(random, PictureOf::Values), kColumns, CellValue::Mean);
    }
}

void TestTensorPicture::singleWeights()
{
    const RandomTensor random(TensorType::Q5_K, 512, 3, RandomTensor::Numbers::Finite);
    const auto picture =
        eval::tensorPicture(random.file(), random.tensor(),
                            { .area = { 2, 4, 250, 20 }, .width = 1000, .height = 1000 });
    QVERIFY(picture.has_value());
    QCOMPARE(picture->width, 20U);
    QCOMPARE(picture->height, 4U);
    for (std::uint32_t y = 0; y < 4; ++y) {
        QCOMPARE(picture->rowOf(y), std::uint64_t { 2 + y });
        for (std::uint32_t x = 0; x < 20; ++x) {
            QCOMPARE(picture->columnOf(x), std::uint64_t { 250 + x });
            QCOMPARE(picture->at(x, y), random.at(2 + y, 250 + x));
        }
    }
}

void TestTensorPicture::badCells()
{
    // Random halves hold every kind of odd number; a cell of 64 rarely none.
    for (const auto type : { TensorType::F16, TensorType::Q8_0, TensorType::Q2_K }) {
        const RandomTensor random(type, 2048, 8, RandomTensor::Numbers::Any);
        bool sawBad = false;
        for (const auto what : { CellValue::Mean, CellValue::LargestMagnitude }) {
            const auto picture = eval::tensorPicture(random.file(), random.tensor(),
                                                     { .cell = what, .width = 50, .height = 16 });
            QVERIFY(picture.has_value());
            compare(*picture, numbersOf(random, PictureOf::Values), 2048, what);
            sawBad = sawBad || picture->badCells > 0;
        }
        QVERIFY(sawBad);
    }
}

void TestTensorPicture::noScales()
{
    for (const auto type : { TensorType::F32, TensorType::BF16, TensorType::I8 }) {
        const RandomTensor random(type, 64, 2, RandomTensor::Numbers::Any);
        const auto size = eval::pictureSize(random.file(), random.tensor(), PictureOf::Scales);
        QVERIFY(!size.has_value());
        QCOMPARE(size.error().code, ErrorCode::TensorNoScales);
        const auto picture = eval::tensorPicture(
            random.file(), random.tensor(), { .of = PictureOf::Scales, .width = 8, .height = 8 });
        QVERIFY(!picture.has_value());
        QCOMPARE(picture.error().code, ErrorCode::TensorNoScales);
        QCOMPARE(picture.error().arguments,
                 std::vector<std::string> { std::string(gguf::tensorTypeInfo(type).name) });
        QCOMPARE(picture.error().where.subject, std::string("w"));
    }
}

void TestTensorPicture::emptyPictures()
{
    const RandomTensor random(TensorType::Q4_0, 64, 2, RandomTensor::Numbers::Finite);
    for (const PictureRequest& request :
         { PictureRequest { .width = 0, .height = 8 }, PictureRequest { .width = 8, .height = 0 },
           PictureRequest { .area = { 4, 1, 0, 64 }, .width = 8, .height = 8 },
           PictureRequest { .area = { 0, 1, UINT64_MAX, UINT64_MAX }, .width = 8, .height = 8 } }) {
        const auto picture = eval::tensorPicture(random.file(), random.tensor(), request);
        QVERIFY(picture.has_value());
        QVERIFY(picture->cells.empty());
        QCOMPARE(picture->width, 0U);
        QCOMPARE(picture->height, 0U);
        QCOMPARE(picture->max, 0.0F);
    }
    const auto bytes = tests::tinyGguf({ { "w", 0, { 0, 5 }, {} } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    const auto picture =
        eval::tensorPicture(*file, file->tensors()[0], { .width = 8, .height = 8 });
    QVERIFY(picture.has_value());
    QVERIFY(picture->cells.empty());
}

void TestTensorPicture::stopsAndProgress()
{
    const RandomTensor random(TensorType::Q4_0, 64, 20, RandomTensor::Numbers::Finite);
    eval::ScanProgress progress;
    std::stop_source source;
    const eval::ScanControl control(source.get_token(), &progress);
    const PictureRequest request { .area = { 5, 10, 0, 64 }, .width = 8, .height = 3 };
    QVERIFY(eval::tensorPicture(random.file(), random.tensor(), request, control).has_value());
    QCOMPARE(progress.fraction(), 1.0);
    source.request_stop();
    const auto stopped = eval::tensorPicture(random.file(), random.tensor(), request, control);
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
}

void TestTensorPicture::errors()
{
    const auto bytes = tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(82) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf").value();
    for (const auto of : { PictureOf::Values, PictureOf::Scales }) {
        const auto picture =
            eval::tensorPicture(*file, file->tensors()[0], { .of = of, .width = 8, .height = 8 });
        QVERIFY(!picture.has_value());
        QCOMPARE(picture.error().code, ErrorCode::TensorNotDecodable);
    }
}

QTEST_APPLESS_MAIN(TestTensorPicture)
#include "tst_tensor_picture.moc"
