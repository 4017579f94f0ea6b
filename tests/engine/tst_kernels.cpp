// Every kernel of every instruction set this machine has, against the scalar reference.
#include "engine/backend/cpu/kernels.h"
#include "engine/quant/codec.h"
#include "tests/support/op_bench.h"
#include "tests/support/random_blocks.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace engine;
using namespace engine::backend::cpu;
using gguf::TensorType;
using tests::randomFloats;

namespace {

constexpr std::size_t kLengths[] = { 1, 5, 8, 13, 32, 64, 96, 100, 576 };
constexpr TensorType kQuantTypes[] = { TensorType::Q4_0,    TensorType::Q4_1,    TensorType::Q5_0,
                                       TensorType::Q5_1,    TensorType::Q8_0,    TensorType::Q2_K,
                                       TensorType::Q3_K,    TensorType::Q4_K,    TensorType::Q5_K,
                                       TensorType::Q6_K,    TensorType::IQ2_XXS, TensorType::IQ2_XS,
                                       TensorType::IQ3_XXS, TensorType::IQ1_S,   TensorType::IQ4_NL,
                                       TensorType::IQ3_S,   TensorType::IQ2_S,   TensorType::IQ4_XS,
                                       TensorType::IQ1_M,   TensorType::TQ1_0,   TensorType::TQ2_0,
                                       TensorType::MXFP4,   TensorType::NVFP4,   TensorType::Q1_0,
                                       TensorType::Q2_0 };

struct Rounded
{
    std::vector<std::int8_t> quants;
    std::vector<float> scales;
    std::vector<float> sums;
    Q8Row row {};
    explicit Rounded(const std::vector<float>& values)
        : quants(values.size())
        , scales(values.size() / kQ8Group)
        , sums(values.size() / kQ8Group)
    {
        kScalarKernels.quantize(values.data(), values.size(), quants.data(), scales.data(),
                                sums.data());
        row = { quants.data(), scales.data(), sums.data() };
    }
};

/// Squared error of one group, in units of its largest magnitude.
double groupError(const std::vector<float>& values, const std::vector<std::int8_t>& quants,
                  const std::vector<float>& scales, std::size_t group)
{
    double error = 0.0;
    double largest = 1e-40;
    for (std::size_t i = group * kQ8Group; i < (group + 1) * kQ8Group; ++i) {
        const double difference = values[i] - double(scales[group]) * quants[i];
        error += difference * difference;
        largest = std::max(largest, std::fabs(double(values[i])));
    }
    return error / (largest * largest);
}

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

#define VERIFY_NEAR(a, b, tolerance)                                                               \
    QVERIFY2(near(a, b, tolerance),                                                                \
             qPrintable(QString("%1 instead of %2").arg(double(a)).arg(double(b))))

} // namespace

class TestKernels : public QObject
{
    Q_OBJECT

private:
    void tables()
    {
        QTest::addColumn<int>("table");
        const auto all = runnableKernels();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::newRow(all[i]->name) << static_cast<int>(i);
        }
    }
    const Kernels& table()
    {
        const int index = *static_cast<int*>(QTest::qData("table", qMetaTypeId<int>()));
        return *runnableKernels()[static_cast<std::size_t>(index)];
    }

private Q_SLOTS:
    void quantize_data() { tables(); }
    void quantize()
    {
        auto values = randomFloats(640, 1);
        std::fill_n(values.begin() + 64, 32, 0.0F);
        values[100] = 1e30F;
        values[200] = 1e-30F;
        std::vector<std::int8_t> quants(values.size());
        std::vector<float> scales(values.size() / kQ8Group);
        std::vector<float> sums(values.size() / kQ8Group);
        table().quantize(values.data(), values.size(), quants.data(), scales.data(), sums.data());
        const Rounded expected(values);
        for (std::size_t g = 0; g < scales.size(); ++g) {
            // two divisors may round equally well: then each table may take another
            const auto error = groupError(values, quants, scales, g);
            const auto least = groupError(values, expected.quants, expected.scales, g);
            QVERIFY2(error <= least * 1.0001, qPrintable(QString::number(g)));
            double sum = 0.0;
            for (std::size_t i = g * kQ8Group; i < (g + 1) * kQ8Group; ++i) {
                sum += double(scales[g]) * quants[i];
                QVERIFY(std::fabs(values[i] - scales[g] * quants[i]) <= scales[g] * 0.501F);
            }
            QVERIFY(std::fabs(sums[g] - sum) <= 1e-5 * std::fabs(sum) + 1e-30);
        }
    }

    void quantDot_data() { tables(); }
    void quantDot()
    {
        for (const auto type : kQuantTypes) {
            for (const std::size_t columns : { std::size_t(256), std::size_t(1536) }) {
                const auto row = tests::randomBlocks(type, columns, 7);
                const Rounded a(randomFloats(columns, 8));
                const auto expected =
                    kScalarKernels.quant(type)->dot(row.data(), a.row, columns / 32);
                VERIFY_NEAR(table().quant(type)->dot(row.data(), a.row, columns / 32), expected,
                            2e-4);
            }
        }
        QVERIFY(!table().quant(TensorType::F16));
    }

    void quantPanel_data() { tables(); }
    void quantPanel()
    {
        const auto& k = table();
        for (const auto type : kQuantTypes) {
            const auto* q = k.quant(type);
            if (!q->pack) {
                QCOMPARE(k.name, "scalar");
                continue;
            }
            for (const auto count : { k.panelRows, k.panelRows - 3 }) {
                panelCase(k, type, count, 13);
            }
        }
    }

    void halves_data() { tables(); }
    void halves()
    {
        for (const auto n : kLengths) {
            const auto values = randomFloats(n, 3);
            std::vector<std::uint16_t> halfs(n);
            std::vector<float> back(n);
            table().floatToHalf(values.data(), halfs.data(), n);
            table().halfToFloat(halfs.data(), back.data(), n);
            for (std::size_t i = 0; i < n; ++i) {
                QCOMPARE(halfs[i], quant::floatToHalf(values[i]));
                QCOMPARE(back[i], quant::halfToFloat(halfs[i]));
            }
        }
    }

    void floatDots_data() { tables(); }
    void floatDots()
    {
        for (const auto n : kLengths) {
            const auto a = randomFloats(n, 4);
            const auto b = randomFloats(n, 5);
            std::vector<std::uint16_t> halfs(n);
            std::vector<std::uint16_t> bfloats(n);
            std::transform(a.begin(), a.end(), halfs.begin(), quant::floatToHalf);
            std::transform(a.begin(), a.end(), bfloats.begin(), quant::floatToBfloat);
            VERIFY_NEAR(table().dotF32(a.data(), b.data(), n),
                        kScalarKernels.dotF32(a.data(), b.data(), n), 2e-5);
            VERIFY_NEAR(table().dotF16(halfs.data(), b.data(), n),
                        kScalarKernels.dotF16(halfs.data(), b.data(), n), 2e-5);
            VERIFY_NEAR(table().dotBf16(bfloats.data(), b.data(), n),
                        kScalarKernels.dotBf16(bfloats.data(), b.data(), n), 2e-5);
            VERIFY_NEAR(table().sumOfSquares(a.data(), n), kScalarKernels.sumOfSquares(a.data(), n),
                        2e-5);
            QCOMPARE(table().maximum(a.data(), n), kScalarKernels.maximum(a.data(), n));
        }
    }

    void multiplyFloat_data() { tables(); }
    void multiplyFloat()
    {
        const auto rows = table().panelRows;
        constexpr std::size_t depth = 37;
        constexpr std::size_t count = 15;
        const auto panel = randomFloats(depth * rows, 9);
        const auto in = randomFloats(count * depth, 10);
        std::vector<float> out(count * rows, 0.5F);
        for (const bool accumulate : { false, true }) {
            const auto before = out;
            table().multiplyFloat(panel.data(), depth, in.data(), depth, count, out.data(), rows,
                                  accumulate);
            for (std::size_t t = 0; t < count; ++t) {
                for (std::size_t r = 0; r < rows; ++r) {
                    double sum = accumulate ? before[t * rows + r] : 0.0;
                    for (std::size_t i = 0; i < depth; ++i) {
                        sum += double(panel[i * rows + r]) * in[t * depth + i];
                    }
                    VERIFY_NEAR(out[t * rows + r], sum, 2e-5);
                }
            }
        }
    }

    void rowSums_data() { tables(); }
    void rowSums()
    {
        for (const auto width : kLengths) {
            constexpr std::size_t count = 11;
            const auto factors = randomFloats(count, 11);
            const auto rows = randomFloats(count * width, 12);
            std::vector<std::uint16_t> halfs(rows.size());
            std::transform(rows.begin(), rows.end(), halfs.begin(), quant::floatToHalf);
            auto out = randomFloats(width, 13);
            auto expected = out;
            table().addRows(out.data(), factors.data(), rows.data(), count, width);
            table().addHalfRows(out.data(), factors.data(), halfs.data(), count, width);
            kScalarKernels.addRows(expected.data(), factors.data(), rows.data(), count, width);
            kScalarKernels.addHalfRows(expected.data(), factors.data(), halfs.data(), count, width);
            for (std::size_t i = 0; i < width; ++i) {
                VERIFY_NEAR(out[i], expected[i], 2e-5);
            }
        }
    }

    void elementwise_data() { tables(); }
    void elementwise()
    {
        for (const auto n : kLengths) {
            const auto a = randomFloats(n, 14, 4.0F);
            const auto b = randomFloats(n, 15);
            std::vector<float> scaled(n);
            auto gate = a;
            auto expectedGate = a;
            auto sum = a;
            table().scaleBy(a.data(), 0.7F, b.data(), scaled.data(), n);
            table().swiglu(gate.data(), b.data(), n);
            kScalarKernels.swiglu(expectedGate.data(), b.data(), n);
            table().add(sum.data(), b.data(), n);
            for (std::size_t i = 0; i < n; ++i) {
                VERIFY_NEAR(scaled[i], a[i] * 0.7F * b[i], 1e-6);
                VERIFY_NEAR(gate[i], expectedGate[i], 1e-6);
                QCOMPARE(sum[i], a[i] + b[i]);
            }
        }
    }

    void exponential_data() { tables(); }
    void exponential()
    {
        std::vector<float> values;
        for (float x = -104.0F; x <= 0.0F; x += 0.0371F) {
            values.push_back(x);
        }
        auto out = values;
        const auto sum = table().expSum(out.data(), out.size(), 0.0F);
        double expected = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double e = std::exp(double(values[i]));
            expected += e;
            QVERIFY2(std::fabs(out[i] - e) <= 3e-7 * e + 1.3e-38,
                     qPrintable(QString::number(values[i])));
        }
        VERIFY_NEAR(sum, expected, 1e-5);
        float extremes[] = { -std::numeric_limits<float>::infinity(), 0.0F, -200.0F };
        QCOMPARE(table().expSum(extremes, 3, 0.0F), 1.0F);
        QCOMPARE(extremes[0], 0.0F);
    }

private:
    void panelCase(const Kernels& k, TensorType type, std::size_t count, std::size_t tokens)
    {
        constexpr std::size_t columns = 768;
        constexpr std::size_t units = columns / kUnit;
        constexpr std::size_t firstPart = 256 / kUnit;
        std::vector<std::vector<std::byte>> rows;
        std::vector<const std::byte*> pointers;
        for (std::size_t r = 0; r < count; ++r) {
            rows.push_back(tests::randomBlocks(type, columns, unsigned(100 + r)));
            pointers.push_back(rows.back().data());
        }
        std::vector<Rounded> inputs;
        for (std::size_t t = 0; t < tokens; ++t) {
            inputs.emplace_back(randomFloats(columns, unsigned(200 + t)));
        }
        std::vector<std::uint8_t> quants(columns * k.panelRows);
        std::vector<float> scales(units * 2 * k.panelRows);
        std::vector<float> mins(scales.size());
        std::vector<float> out(tokens * k.panelRows, 1e6F);
        for (const auto& [first, length] :
             { std::pair(std::size_t(0), firstPart), std::pair(firstPart, units - firstPart) }) {
            const Panel panel { quants.data(), scales.data(), mins.data(), length };
            k.quant(type)->pack(pointers.data(), count, first, panel);
            std::vector<Q8Row> shifted;
            for (const auto& input : inputs) {
                shifted.push_back({ input.quants.data() + first * 32,
                                    input.scales.data() + 2 * first,
                                    input.sums.data() + 2 * first });
            }
            k.quant(type)->multiply(panel, shifted.data(), tokens, out.data(), k.panelRows,
                                    first > 0);
        }
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t r = 0; r < k.panelRows; ++r) {
                const float expected = r < count
                    ? kScalarKernels.quant(type)->dot(pointers[r], inputs[t].row, units)
                    : 0.0F;
                VERIFY_NEAR(out[t * k.panelRows + r], expected, 3e-4);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestKernels)
#include "tst_kernels.moc"
