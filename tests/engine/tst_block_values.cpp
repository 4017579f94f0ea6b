// Blocks of a tensor: the place in the file, the bytes and the values, and what range errors say.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/block_values.h"
#include "engine/quant/codec.h"
#include "tests/support/tiny_gguf.h"

#include <QtTest>

using namespace engine;
using gguf::TensorType;

namespace {

constexpr std::uint64_t kColumns = 96;
constexpr std::uint64_t kRows = 6; // as 3 × 2

std::uint32_t numberOf(TensorType type)
{
    return static_cast<std::uint32_t>(type);
}

/// A file with a small tensor in front of the one of interest, whose value (row, column) is row ×
/// 100 + column.
class Fixture
{
public:
    explicit Fixture(TensorType type)
    {
        const auto& info = gguf::tensorTypeInfo(type);
        std::vector<float> values;
        for (std::uint64_t i = 0; i < kRows * kColumns; ++i) {
            values.push_back(float(i / kColumns * 100 + i % kColumns));
        }
        const std::size_t blocks = values.size() / info.blockSize;
        std::vector<std::byte> data(blocks * info.typeSize);
        quant::codec(type)->encode(values.data(), data.data(), blocks);
        m_bytes = tests::tinyGguf(
            { { "front", numberOf(TensorType::F32), { 3 }, tests::bytesOf<float>({ 1, 2, 3 }) },
              { "w", numberOf(type), { kColumns, 3, 2 }, data },
              { "empty", numberOf(TensorType::F32), { 0 }, {} } });
        m_file = gguf::GgufFile::parse(m_bytes, "tiny.gguf").value();
    }

    [[nodiscard]] const gguf::GgufFile& file() const { return *m_file; }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_bytes; }
    [[nodiscard]] const gguf::TensorInfo& tensor(const char* name = "w") const
    {
        return *m_file->findTensor(name);
    }

private:
    std::vector<std::byte> m_bytes;
    std::shared_ptr<const gguf::GgufFile> m_file;
};

} // namespace

class TestBlockValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainNumbers();
    void quantized();
    void everyBlockOnce();
    void severalBlocks();
    void rangeErrors_data();
    void rangeErrors();
    void emptyTensor();
    void typeWithoutCodec();
};

void TestBlockValues::plainNumbers()
{
    const Fixture fixture(TensorType::F32);
    QCOMPARE(eval::blocksPerRow(fixture.file(), fixture.tensor()).value(), kColumns);
    const auto block = eval::blockValues(fixture.file(), fixture.tensor(), 4, 17);
    QVERIFY(block.has_value());
    QCOMPARE(block->values, std::vector<float> { 417 });
    QCOMPARE(block->column, std::uint64_t { 17 });
    QCOMPARE(block->bytes.size(), std::size_t { 4 });
    QCOMPARE(block->offset, fixture.tensor().data.offset + (4 * kColumns + 17) * 4);
}

void TestBlockValues::quantized()
{
    const Fixture fixture(TensorType::Q8_0);
    QCOMPARE(eval::blocksPerRow(fixture.file(), fixture.tensor()).value(), std::uint64_t { 3 });
    const auto block = eval::blockValues(fixture.file(), fixture.tensor(), 5, 2);
    QVERIFY(block.has_value());
    QCOMPARE(block->offset, fixture.tensor().data.offset + (5 * 3 + 2) * 34);
    QCOMPARE(block->column, std::uint64_t { 64 });
    QCOMPARE(block->bytes.size(), std::size_t { 34 });
    QCOMPARE(block->values.size(), std::size_t { 32 });
    for (std::size_t i = 0; i < 32; ++i) {
        QVERIFY(std::fabs(block->values[i] - float(564 + i)) < 2.6F); // half a step of 595 / 127
    }
}

void TestBlockValues::everyBlockOnce()
{
    // Offsets and bytes walk through the tensor without gap or overlap, and are those of the file.
    const Fixture fixture(TensorType::Q5_1);
    std::uint64_t next = fixture.tensor().data.offset;
    for (std::uint64_t row = 0; row < kRows; ++row) {
        for (std::uint64_t index = 0; index < 3; ++index) {
            const auto block = eval::blockValues(fixture.file(), fixture.tensor(), row, index);
            QVERIFY(block.has_value());
            QCOMPARE(block->offset, next);
            QVERIFY(std::equal(block->bytes.begin(), block->bytes.end(),
                               fixture.bytes().begin() + std::ptrdiff_t(block->offset)));
            next += block->bytes.size();
        }
    }
    QCOMPARE(next, fixture.tensor().data.end());
}

void TestBlockValues::severalBlocks()
{
    const Fixture fixture(TensorType::F16);
    const auto run = eval::blockValues(fixture.file(), fixture.tensor(), 2, 10, 32);
    QVERIFY(run.has_value());
    QCOMPARE(run->column, std::uint64_t { 10 });
    QCOMPARE(run->bytes.size(), std::size_t { 64 });
    QCOMPARE(run->values.size(), std::size_t { 32 });
    QCOMPARE(run->values.front(), 210.0F);
    QCOMPARE(run->values.back(), 241.0F);
    const auto end = eval::blockValues(fixture.file(), fixture.tensor(), 5, 90, UINT64_MAX);
    QVERIFY(end.has_value());
    QCOMPARE(end->values, (std::vector<float> { 590, 591, 592, 593, 594, 595 })); // the row ends
    QCOMPARE(end->bytes.size(), std::size_t { 12 });
}

void TestBlockValues::rangeErrors_data()
{
    QTest::addColumn<std::uint64_t>("row");
    QTest::addColumn<std::uint64_t>("block");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, std::uint64_t r, std::uint64_t b, const char* sentence) {
        QTest::newRow(name) << r << b << QString(sentence);
    };
    row("row", 6, 0, "There is no row 6: the tensor has 6. Choose a row from 0 to 5.");
    row("block", 5, 3, "There is no block 3: each row has 3. Choose a block from 0 to 2.");
    row("largest row", UINT64_MAX, 0, "There is no row 18446744073709551615");
    row("largest block", 0, UINT64_MAX, "There is no block 18446744073709551615");
    row("both", 7, 9, "There is no row 7");
}

void TestBlockValues::rangeErrors()
{
    QFETCH(std::uint64_t, row);
    QFETCH(std::uint64_t, block);
    QFETCH(QString, sentence);
    const Fixture fixture(TensorType::Q4_0);
    const auto result = eval::blockValues(fixture.file(), fixture.tensor(), row, block);
    QVERIFY(!result.has_value());
    const auto message = QString::fromStdString(englishSentence(result.error()));
    QVERIFY2(message.contains(sentence), qPrintable(message));
    QCOMPARE(result.error().where.subject, std::string("w"));
}

void TestBlockValues::emptyTensor()
{
    const Fixture fixture(TensorType::F16);
    const auto result = eval::blockValues(fixture.file(), fixture.tensor("empty"), 0, 0);
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::TensorEmpty);
}

void TestBlockValues::typeWithoutCodec()
{
    const auto bytes = tests::tinyGguf({ { "w", 144, { 256 }, std::vector<std::byte>(82) } });
    const auto file = gguf::GgufFile::parse(bytes, "tiny.gguf");
    QVERIFY(file.has_value());
    const auto result = eval::blockValues(**file, (*file)->tensors()[0], 0, 0);
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::TensorNotDecodable);
    QCOMPARE(result.error().arguments, std::vector<std::string> { "144 (IQ4_KS of ik_llama.cpp)" });
}

QTEST_APPLESS_MAIN(TestBlockValues)
#include "tst_block_values.moc"
