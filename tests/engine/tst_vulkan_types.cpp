// The decoding of tensor types on a Vulkan device, by the rows of tables, against the codec.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/shader_types.h"
#include "tests/support/device_bench.h"

using namespace engine;
using namespace tests;
using backend::vulkan::shaderSuffix;
using gguf::TensorType;

namespace {

/// Scales that a format can have but models seldom do: for each field the raw bits of row `n`.
std::uint64_t extreme(quant::NumberForm form, unsigned n)
{
    using quant::NumberForm;
    static constexpr std::uint64_t halves[] = { 0, 0x8000, 1, 0x83ff, 0x7bff, 0xfbff, 0x0400 };
    static constexpr std::uint64_t exponents[] = { 0, 1, 2, 3, 126, 250, 128 };
    static constexpr std::uint64_t smallFloats[] = { 0, 1, 7, 8, 0x7e, 0x7f, 0x80 };
    static constexpr float floats[] = { 0, -0.0F, 1e-30F, -1e-30F, 1e30F, -1e30F, -1 };
    static constexpr std::uint64_t bfloats[] = { 0, 0x8000, 0x0080, 0x8080, 0x7f7f, 0xff7f, 1 };
    switch (form) {
    case NumberForm::Half:
        return halves[n % 7];
    case NumberForm::E8M0:
        return exponents[n % 7];
    case NumberForm::E4M3:
        return smallFloats[n % 7];
    case NumberForm::Bfloat:
        return bfloats[n % 7];
    default:
        return std::bit_cast<std::uint32_t>(floats[n % 7]);
    }
}

/// Rows of random blocks, `offset` bytes behind a multiple of 64; the last seven have extreme
/// scales.
struct Table
{
    Table(TensorType type, std::size_t columns, std::size_t rows, std::size_t offset = 0)
    {
        const auto& info = gguf::tensorTypeInfo(type);
        const auto rowBytes = columns / info.blockSize * info.typeSize;
        m_bytes.resize(64 + offset + rows * rowBytes + 64, std::byte { 0xFF });
        void* begin = m_bytes.data();
        auto space = m_bytes.size();
        std::align(64, 1, begin, space);
        auto* data = static_cast<std::byte*>(begin) + offset;
        matrix = { type, columns, rows, rowBytes, { data, rows * rowBytes } };
        for (std::size_t r = 0; r < rows; ++r) {
            auto row = randomBlocks(type, columns, static_cast<unsigned>(r + columns));
            for (const auto& field : quant::floatFields(type)) {
                for (std::size_t b = 0; r + 7 >= rows && b < row.size(); b += info.typeSize) {
                    putBits(row.data() + b, field.bits, extreme(field.form, unsigned(rows - r)));
                }
            }
            std::ranges::copy(row, data + r * rowBytes);
        }
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    [[nodiscard]] std::vector<float> decoded() const
    {
        std::vector<float> values(matrix.rows * matrix.columns);
        quant::codec(matrix.type)
            ->decode(matrix.data.data(), values.data(),
                     values.size() / gguf::tensorTypeInfo(matrix.type).blockSize);
        return values;
    }

    model::Matrix matrix;

private:
    std::vector<std::byte> m_bytes;
};

/// The first number that is further off than a few roundings of the largest of its row (a minimum
/// may cancel most of a weight); empty where all are right. Devices may flush subnormal floats.
QString firstWrong(const std::vector<float>& actual, const std::vector<float>& expected,
                   std::size_t columns)
{
    if (actual.size() != expected.size()) {
        return QString("%1 numbers").arg(actual.size());
    }
    for (std::size_t i = 0; i < actual.size(); i += columns) {
        float largest = 0;
        for (std::size_t j = i; j < i + columns; ++j) {
            largest = std::max(largest, std::fabs(expected[j]));
        }
        for (std::size_t j = i; j < i + columns; ++j) {
            if (!(std::fabs(actual[j] - expected[j]) <= 5e-7F * largest + 1.2e-38F)) {
                return QString("row %1, column %2: %3 instead of %4")
                    .arg(i / columns)
                    .arg(j - i)
                    .arg(double(actual[j]))
                    .arg(double(expected[j]));
            }
        }
    }
    return {};
}

std::vector<float> rowsOnDevice(const model::Matrix& table, const backend::Backend& device)
{
    DeviceBench bench;
    const auto out = bench.slot(static_cast<std::uint32_t>(table.columns));
    bench.add(model::op::Embed { bench.matrix(table), out });
    bench.show(out);
    return bench.run(device, table.rows, table.rows);
}

#define COMPARE_ROWS(table, device)                                                                \
    do {                                                                                           \
        const auto wrong_ = firstWrong(rowsOnDevice((table).matrix, device), (table).decoded(),    \
                                       (table).matrix.columns);                                    \
        QVERIFY2(wrong_.isEmpty(), qPrintable(wrong_));                                            \
        const auto complaints_ = (device).complaints();                                            \
        QVERIFY2(complaints_.empty(), complaints_.empty() ? "" : complaints_.front().c_str());     \
    } while (false)

} // namespace

class TestVulkanTypes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        // one more device, whose bindings are so small that tables need several
        m_narrow = tests::openNarrow(4096);
        QVERIFY(m_narrow);
    }

    /// All that the codec decodes, but for numbers of 64 bits.
    void everyType()
    {
        for (const auto& codec : quant::codecs()) {
            const bool is64 = codec.type == TensorType::I64 || codec.type == TensorType::F64;
            QCOMPARE(shaderSuffix(codec.type).empty(), is64);
        }
    }

    void rows_data()
    {
        QTest::addColumn<TensorType>("type");
        for (const auto& info : gguf::tensorTypes()) {
            if (quant::codec(info.type) && !shaderSuffix(info.type).empty()) {
                QTest::newRow(info.name.data()) << info.type;
            }
        }
    }
    void rows()
    {
        QFETCH(TensorType, type);
        const std::size_t block = gguf::tensorTypeInfo(type).blockSize;
        const auto widths = block == 1 ? std::vector<std::size_t> { 1, 3, 8, 31, 64, 577 }
                                       : std::vector<std::size_t> { block, 3 * block, 8 * block };
        for (const auto width : widths) {
            for (const std::size_t offset : { 0U, 4U, 2U, 44U }) {
                const Table table(type, width, 19, offset);
                COMPARE_ROWS(table, *testDevice());
            }
        }
    }

    /// Of units of every kind; `rows` has all types.
    void windows_data()
    {
        QTest::addColumn<TensorType>("type");
        for (const auto type : { TensorType::F32, TensorType::F16, TensorType::Q4_0,
                                 TensorType::Q5_K, TensorType::IQ2_S, TensorType::TQ1_0 }) {
            QTest::newRow(gguf::tensorTypeInfo(type).name.data()) << type;
        }
    }
    void windows()
    {
        QFETCH(TensorType, type);
        const Table table(type, 768, 31);
        COMPARE_ROWS(table, *m_narrow);
    }

    void positions_data() { windows_data(); }
    void positions()
    {
        QFETCH(TensorType, type);
        const std::uint32_t width = gguf::tensorTypeInfo(type).blockSize == 1 ? 37 : 512;
        const auto usual = randomBlocks(type, std::size_t(width) * 11, 7);
        const model::Matrix matrix { type, width, 11, usual.size() / 11, usual };
        DeviceBench bench;
        const auto into = bench.slot(width, randomFloats(9 * width, 8));
        bench.add(model::op::AddPositions { bench.matrix(matrix), into });
        bench.show(into);
        COMPARE_WITH_CPU(bench, 9, 1e-6);
        // from the sixth position on, beyond the end of the table
        const auto expected = bench.run(backend::cpuBackend(), 9, 9, 6);
        const auto late = bench.run(*m_narrow, 9, 9, 6);
        QVERIFY(largestDifference(late, expected) <= 1e-6);
        QVERIFY(m_narrow->complaints().empty());
    }

private:
    std::shared_ptr<const backend::Backend> m_narrow;
};

QTEST_MAIN(TestVulkanTypes)
#include "tst_vulkan_types.moc"
