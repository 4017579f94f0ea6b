// The picture of a tensor: its grids against the engine's, which wishes count, and what is said.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/block_values.h"
#include "tests/support/tiny_gguf.h"
#include "ui/inspector/tensor_picture_model.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

#include <cmath>
#include <limits>

using engine::eval::CellValue;
using engine::eval::PictureOf;
using engine::gguf::GgufFile;
using engine::gguf::TensorType;

namespace {

enum Tensor { Large, Scaled, Plain, Unknown };

constexpr int kColumns = 96;
constexpr int kRows = 20;
constexpr int kLarge = 2048; // columns and rows

/// 96 × 20 weights as Q4_0 whose scales are ±1 … ±3; 5 × 3 floats, one of them NaN; a type that
/// nobody knows; 4 million zeros.
std::vector<std::byte> fileBytes()
{
    std::vector<std::byte> blocks;
    for (int block = 0; block < kRows * kColumns / 32; ++block) {
        blocks.push_back(static_cast<std::byte>(block * 37));
        blocks.push_back(
            static_cast<std::byte>(block % 3 == 0 ? 0xbc + block % 5 / 3 : 0x3c + block % 5 / 3));
        for (int quant = 0; quant < 16; ++quant) {
            blocks.push_back(static_cast<std::byte>(block * 31 + quant * 57));
        }
    }
    std::vector<float> numbers;
    for (int i = 0; i < 15; ++i) {
        numbers.push_back(i == 7 ? std::numeric_limits<float>::quiet_NaN()
                                 : static_cast<float>(i) - 3);
    }
    const auto numberOf = [](TensorType type) { return static_cast<std::uint32_t>(type); };
    return tests::tinyGguf({
        { "large",
          numberOf(TensorType::F16),
          { kLarge, kLarge },
          std::vector<std::byte>(2 * kLarge * kLarge) },
        { "scaled", numberOf(TensorType::Q4_0), { kColumns, kRows }, blocks },
        { "plain", numberOf(TensorType::F32), { 5, 3 }, tests::bytesOf<float>(numbers) },
        { "unknown", 4, { 32 }, std::vector<std::byte>(20) },
    });
}

} // namespace

class TestTensorPictureModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_bytes = fileBytes();
        m_file = GgufFile::parse(m_bytes, "tiny.gguf").value();
    }

    void init()
    {
        m_selection = std::make_unique<InspectorSelection>();
        m_picture = std::make_unique<TensorPictureModel>(*m_selection);
        m_selection->setFile(m_file, false);
        m_picture->setFile(m_file);
        m_picture->setActive(true);
    }

    void showsNothingWithoutATensor()
    {
        QCOMPARE(m_picture->rows(), 0.0);
        QCOMPARE(m_picture->sizeText(), QString());
        QCOMPARE(m_picture->note(), QString());
        m_picture->show(0, 0, 10, 10, 10, 10);
        QVERIFY(!m_picture->isRunning());
        QCOMPARE(m_picture->numberText(0, 0), QString());
    }

    void givesScales()
    {
        m_selection->selectTensor(Scaled);
        QVERIFY(m_picture->hasScales());
        QCOMPARE(m_picture->what(), TensorPictureModel::Scales);
        QCOMPARE(m_picture->sizeText(), QString("20 rows × 3 blocks"));
        QCOMPARE(m_picture->blockColumns(), 1.0);
        m_picture->show(0, 0, 3, kRows, 3, kRows);
        QTRY_VERIFY(!m_picture->grid().isEmpty());
        compare({ .of = PictureOf::Scales,
                  .cell = CellValue::LargestMagnitude,
                  .area = {},
                  .width = 3,
                  .height = kRows });
        QVERIFY(m_picture->isExact());
        m_picture->show(0, 0, 3, kRows, 2, 7);
        QTRY_COMPARE(m_picture->grid().height, 7);
        compare({ .of = PictureOf::Scales,
                  .cell = CellValue::LargestMagnitude,
                  .area = {},
                  .width = 2,
                  .height = 7 });
        QVERIFY(!m_picture->isExact());
    }

    void givesValues()
    {
        m_selection->selectTensor(Scaled);
        const QString key = m_picture->key();
        m_picture->setWhat(TensorPictureModel::Values);
        QVERIFY(m_picture->key() != key);
        QCOMPARE(m_picture->sizeText(), QString("20 rows × 96 columns"));
        QCOMPARE(m_picture->blockColumns(), 32.0);
        m_picture->show(0, 0, kColumns, kRows, 40, 10);
        QTRY_VERIFY(!m_picture->grid().isEmpty());
        compare({ .area = {}, .width = 40, .height = 10 });
        // A part, beginning within a number.
        m_picture->show(33.5, 2.5, 20.2, 4, 500, 500);
        QTRY_VERIFY(m_picture->isExact());
        QCOMPARE(m_picture->grid().area, QRectF(33, 2, 21, 5));
        compare({ .area = { 2, 5, 33, 21 }, .width = 500, .height = 500 });
    }

    // What was chosen counts again where there is a choice.
    void showsValuesWhereThereAreNoScales()
    {
        m_selection->selectTensor(Plain);
        QVERIFY(!m_picture->hasScales());
        QCOMPARE(m_picture->what(), TensorPictureModel::Values);
        QCOMPARE(m_picture->sizeText(), QString("3 rows × 5 columns"));
        m_picture->show(0, 0, 5, 3, 5, 3);
        QTRY_VERIFY(!m_picture->grid().isEmpty());
        QCOMPARE(m_picture->badCells(), 1.0);
        QVERIFY(std::isnan(m_picture->grid().at(2, 1)));
        QCOMPARE(m_picture->grid().at(0, 0), -3.0F);
        m_selection->selectTensor(Scaled);
        QCOMPARE(m_picture->what(), TensorPictureModel::Scales);
        QVERIFY(m_picture->grid().isEmpty());
        QCOMPARE(m_picture->badCells(), 0.0);
        m_picture->setWhat(TensorPictureModel::Values);
        m_selection->selectTensor(Plain);
        m_selection->selectTensor(Scaled);
        QCOMPARE(m_picture->what(), TensorPictureModel::Values);
    }

    void saysWhyThereIsNone()
    {
        m_selection->selectTensor(Unknown);
        QVERIFY2(m_picture->note().contains("decoded"), qPrintable(m_picture->note()));
        QCOMPARE(m_picture->rows(), 0.0);
        QCOMPARE(m_picture->sizeText(), QString());
        m_picture->show(0, 0, 32, 1, 32, 1);
        QVERIFY(!m_picture->isRunning());
        m_selection->selectTensor(Scaled);
        QCOMPARE(m_picture->note(), QString());
    }

    void computesNothingUnseen()
    {
        m_picture->setActive(false);
        m_selection->selectTensor(Scaled);
        m_picture->show(0, 0, 3, kRows, 3, kRows);
        QVERIFY(!m_picture->isRunning());
        m_picture->setActive(true);
        QVERIFY(m_picture->isRunning());
        m_picture->setActive(false); // in the middle of it
        QVERIFY(!m_picture->isRunning());
        QTest::qWait(50);
        QVERIFY(m_picture->grid().isEmpty());
        m_picture->setActive(true);
        QTRY_VERIFY(!m_picture->grid().isEmpty());
        m_picture->setActive(false);
        m_picture->setActive(true); // answered already
        QVERIFY(!m_picture->isRunning());
    }

    // First the whole, then of the parts only the last one.
    void answersTheNewestWish()
    {
        m_selection->selectTensor(Large);
        QList<QRectF> areas;
        connect(m_picture.get(), &TensorPictureModel::gridChanged, this,
                [this, &areas] { areas << m_picture->grid().area; });
        QSignalSpy running(m_picture.get(), &TensorPictureModel::runningChanged);
        m_picture->show(0, 0, kLarge, kLarge, 100, 100);
        m_picture->show(0, 0, 1000, 1000, 100, 100);
        m_picture->show(500, 500, 1000, 1000, 100, 100);
        QTRY_VERIFY(!m_picture->isRunning());
        QCOMPARE(areas, (QList<QRectF> { { 0, 0, kLarge, kLarge }, { 500, 500, 1000, 1000 } }));
        QCOMPARE(running.count(), 4); // two pieces of work: the whole did not begin anew
        areas.clear();
        m_picture->show(0, 0, 2000, 2000, 100, 100);
        m_picture->show(7, 8, 9, 10, 100, 100);
        QTRY_VERIFY(!m_picture->isRunning());
        QCOMPARE(areas, (QList<QRectF> { { 7, 8, 9, 10 } }));
        // Another tensor: nothing of this one comes any more.
        m_picture->show(0, 0, kLarge, kLarge, 100, 100);
        m_selection->selectTensor(Scaled);
        QVERIFY(!m_picture->isRunning());
        QVERIFY(m_picture->grid().isEmpty());
        QTest::qWait(50);
        QVERIFY(m_picture->grid().isEmpty());
        QCOMPARE(m_picture->fraction(), -1.0);
    }

    // Said once; it is not tried again until the file was read anew.
    void saysThatTheFileChanged()
    {
        QTemporaryFile copy;
        QVERIFY(copy.open());
        const auto size = static_cast<qint64>(m_bytes.size());
        QCOMPARE(copy.write(reinterpret_cast<const char*>(m_bytes.data()), size), size);
        QVERIFY(copy.flush());
        const auto file = GgufFile::open(copy.fileName().toStdString()).value();
        m_selection->setFile(file, false);
        m_picture->setFile(file);
        m_selection->selectTensor(Scaled);
        QVERIFY(copy.resize(size - 1));
        m_picture->show(0, 0, 3, kRows, 3, kRows);
        QTRY_VERIFY2(m_picture->note().contains("changed"), qPrintable(m_picture->note()));
        QVERIFY(m_picture->grid().isEmpty());
        QCOMPARE(m_picture->sizeText(), QString());
        m_picture->show(0, 0, 3, kRows, 3, kRows);
        QVERIFY(!m_picture->isRunning());
        m_picture->setFile(m_file);
        m_picture->show(0, 0, 3, kRows, 3, kRows);
        QTRY_VERIFY(!m_picture->grid().isEmpty());
        QCOMPARE(m_picture->note(), QString());
    }

    // The number itself, with its sign, whatever the cells show.
    void tellsNumbers()
    {
        m_selection->selectTensor(Scaled);
        const auto& tensor = m_file->tensors()[Scaled];
        const auto block = engine::eval::blockValues(*m_file, tensor, 9, 0).value(); // the 27th
        const auto number = [](double value) { return QLocale().toString(value, 'g', 6); };
        const double scale = -static_cast<double>(block.values[0]) / (8 - (27 * 31 & 15));
        QVERIFY(scale < 0);
        QCOMPARE(m_picture->numberText(9, 0), "Row 9, block 0: scale " + number(scale));
        m_picture->setWhat(TensorPictureModel::Values);
        QCOMPARE(m_picture->numberText(9, 31),
                 "Row 9, column 31: " + number(static_cast<double>(block.values[31])));
        QCOMPARE(m_picture->numberText(kRows, 0), QString());
        QCOMPARE(m_picture->numberText(0, kColumns), QString());
        QCOMPARE(m_picture->numberText(-1, -1), QString());
    }

private:
    /// The grid is that picture of the tensor Scaled.
    void compare(const engine::eval::PictureRequest& request)
    {
        const auto wanted =
            engine::eval::tensorPicture(*m_file, m_file->tensors()[Scaled], request).value();
        const HeatGrid& grid = m_picture->grid();
        QCOMPARE(grid.area,
                 QRectF(double(wanted.area.firstColumn), double(wanted.area.firstRow),
                        double(wanted.area.columns), double(wanted.area.rows)));
        QCOMPARE(grid.width, static_cast<int>(wanted.width));
        QCOMPARE(grid.height, static_cast<int>(wanted.height));
        QVERIFY(*grid.cells == wanted.cells);
        QVERIFY(wanted.max > 0);
    }

    std::vector<std::byte> m_bytes;
    std::shared_ptr<const GgufFile> m_file;
    std::unique_ptr<InspectorSelection> m_selection;
    std::unique_ptr<TensorPictureModel> m_picture;
};

QTEST_GUILESS_MAIN(TestTensorPictureModel)
#include "tst_tensor_picture_model.moc"
