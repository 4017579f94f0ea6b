// Matrix products of every tensor type: few and many rows, floats and 8-bit activations, biases,
// several targets, stop. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

using namespace engine;
using namespace engine::backend;
using namespace engine::backend::cpu;
using gguf::TensorType;
using tests::OpBench;
using tests::randomFloats;
using tests::RandomMatrix;

namespace {

constexpr std::size_t kRows = 37; // no multiple of a panel
constexpr std::size_t kInputs[] = { 1, 3, 6, 20 }; // rows of input: dot products, then panels

constexpr std::pair<const char*, TensorType> kTypes[] = {
    { "F32", TensorType::F32 },       { "F16", TensorType::F16 },
    { "BF16", TensorType::BF16 },     { "Q4_0", TensorType::Q4_0 },
    { "Q4_1", TensorType::Q4_1 },     { "Q5_0", TensorType::Q5_0 },
    { "Q5_1", TensorType::Q5_1 },     { "Q8_0", TensorType::Q8_0 },
    { "Q2_K", TensorType::Q2_K },     { "Q3_K", TensorType::Q3_K },
    { "Q4_K", TensorType::Q4_K },     { "Q5_K", TensorType::Q5_K },
    { "Q6_K", TensorType::Q6_K },     { "IQ2_XXS", TensorType::IQ2_XXS },
    { "IQ2_XS", TensorType::IQ2_XS }, { "IQ3_XXS", TensorType::IQ3_XXS },
    { "IQ1_S", TensorType::IQ1_S },   { "IQ4_NL", TensorType::IQ4_NL },
    { "IQ3_S", TensorType::IQ3_S },   { "IQ2_S", TensorType::IQ2_S },
    { "IQ4_XS", TensorType::IQ4_XS }, { "IQ1_M", TensorType::IQ1_M },
    { "TQ1_0", TensorType::TQ1_0 },   { "TQ2_0", TensorType::TQ2_0 },
    { "MXFP4", TensorType::MXFP4 },   { "NVFP4", TensorType::NVFP4 },
    { "Q1_0", TensorType::Q1_0 },     { "Q2_0", TensorType::Q2_0 },
    { "Q8_1", TensorType::Q8_1 },     { "Q8_K", TensorType::Q8_K },
};

/// One product with what it should be and by how much it may be off.
struct Expected
{
    double value = 0.0;
    double magnitude = 0.0; ///< Σ |w·a|: rounding is relative to it
    double weights = 0.0; ///< √Σ w²
};

Expected product(const std::vector<float>& weights, const float* in)
{
    Expected e;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double p = double(weights[i]) * in[i];
        e.value += p;
        e.magnitude += std::fabs(p);
        e.weights += double(weights[i]) * weights[i];
    }
    e.weights = std::sqrt(e.weights);
    return e;
}

/// The input as 8-bit activations stand for it.
std::vector<float> rounded(const std::vector<float>& in)
{
    std::vector<std::int8_t> quants(in.size());
    std::vector<float> scales(in.size() / kQ8Group);
    std::vector<float> sums(scales.size());
    kScalarKernels.quantize(in.data(), in.size(), quants.data(), scales.data(), sums.data());
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        out[i] = scales[i / kQ8Group] * quants[i];
    }
    return out;
}

/// One target, run on some rows of input.
std::vector<float> multiplied(const Kernels& table, ActivationMode mode, int threads,
                              const RandomMatrix& weights, const std::vector<float>& in,
                              const model::Vector* bias = nullptr)
{
    const auto columns = weights.matrix.columns;
    OpBench bench(table, threads, in.size() / columns);
    bench.execution.activations = mode;
    const auto input = bench.slot(static_cast<std::uint32_t>(columns), in);
    const auto out = bench.slot(static_cast<std::uint32_t>(weights.matrix.rows));
    run(bench.execution, model::op::Linear { input, { { &weights.matrix, bias, out } } });
    return bench.values(out);
}

#define VERIFY_NEAR(a, b, tolerance)                                                               \
    QVERIFY2(tests::near(a, b, tolerance),                                                         \
             qPrintable(QString("%1 instead of %2 (± %3)")                                         \
                            .arg(double(a))                                                        \
                            .arg(double(b))                                                        \
                            .arg(double(tolerance))))

constexpr double kRounding = 2e-6; // of Σ |w·a|, a few thousand terms in single precision

} // namespace

class TestLinear : public QObject
{
    Q_OBJECT

    static void addTypes()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("table");
        const auto tables = runnableKernels();
        for (const auto& [name, type] : kTypes) {
            for (std::size_t t = 0; t < tables.size(); ++t) {
                QTest::addRow("%s %s", name, tables[t]->name) << int(type) << int(t);
            }
        }
    }

    /// Against products in double; `in` is what the kernels see, `original` what was meant.
    static void compare(const std::vector<float>& out, const RandomMatrix& weights,
                        const std::vector<float>& in, const std::vector<float>& original)
    {
        const auto columns = weights.matrix.columns;
        const auto rows = weights.matrix.rows;
        QVERIFY(out.size() >= in.size() / columns * rows);
        for (std::size_t r = 0; r < rows; ++r) {
            const auto decoded = weights.decoded(r);
            for (std::size_t t = 0; t < in.size() / columns; ++t) {
                const auto exact = product(decoded, in.data() + t * columns);
                VERIFY_NEAR(out[t * rows + r], exact.value, kRounding * exact.magnitude + 1e-6);
                // an activation is off by at most half a step of its group: about 0.006 on average
                const auto meant = product(decoded, original.data() + t * columns);
                VERIFY_NEAR(out[t * rows + r], meant.value, 0.04 * meant.weights + 1e-5);
            }
        }
    }

    static std::vector<std::size_t> widths(TensorType type)
    {
        std::vector<std::size_t> columns { 256, 2304 }; // the second: more than a panel is deep
        if (gguf::tensorTypeInfo(type).blockSize == 1) {
            columns.push_back(50);
            columns.push_back(533);
        }
        return columns;
    }

private Q_SLOTS:
    void floats_data() { addTypes(); }
    void floats()
    {
        QFETCH(int, type);
        for (const auto columns : widths(TensorType(type))) {
            const RandomMatrix weights(TensorType(type), columns, kRows, 1);
            for (const auto count : kInputs) {
                const auto in = randomFloats(count * columns, 100);
                for (const int threads : { 1, 3 }) {
                    compare(multiplied(tests::kernelTable(), ActivationMode::Float, threads,
                                       weights, in),
                            weights, in, in);
                }
            }
        }
    }

    void eightBits_data() { addTypes(); }
    void eightBits()
    {
        QFETCH(int, type);
        const auto& table = tests::kernelTable();
        const bool rounds = table.quant(TensorType(type)) != nullptr;
        // Those of activations are rare in files: multiplied as floats.
        const bool isOfActivations =
            TensorType(type) == TensorType::Q8_1 || TensorType(type) == TensorType::Q8_K;
        QCOMPARE(rounds, gguf::tensorTypeInfo(TensorType(type)).blockSize > 1 && !isOfActivations);
        for (const auto columns : widths(TensorType(type))) {
            const RandomMatrix weights(TensorType(type), columns, kRows, 2);
            for (const auto count : kInputs) {
                const auto in = randomFloats(count * columns, 200);
                for (const int threads : { 1, 3 }) {
                    compare(multiplied(table, ActivationMode::Q8, threads, weights, in), weights,
                            rounds ? rounded(in) : in, in);
                }
            }
        }
    }

    void oneRowEqualsMany_data() { addTypes(); }
    void oneRowEqualsMany()
    {
        QFETCH(int, type);
        constexpr std::size_t columns = 2304;
        constexpr std::size_t count = 20;
        const auto& table = tests::kernelTable();
        const RandomMatrix weights(TensorType(type), columns, kRows, 3);
        const auto in = randomFloats(count * columns, 300);
        for (const auto mode : { ActivationMode::Float, ActivationMode::Q8 }) {
            const auto many = multiplied(table, mode, 3, weights, in);
            for (std::size_t t = 0; t < count; ++t) {
                const std::vector<float> row(in.begin() + std::ptrdiff_t(t * columns),
                                             in.begin() + std::ptrdiff_t((t + 1) * columns));
                const auto one = multiplied(table, mode, 1, weights, row);
                for (std::size_t r = 0; r < kRows; ++r) {
                    const auto size = product(weights.decoded(r), row.data()).magnitude;
                    VERIFY_NEAR(one[r], many[t * kRows + r], kRounding * size);
                }
            }
        }
    }

    void bias_data() { tests::addKernelTables(); }
    void bias()
    {
        constexpr std::size_t columns = 256;
        const auto& table = tests::kernelTable();
        const auto numbers = randomFloats(kRows, 5, 10.0F);
        const model::Vector bias(numbers);
        for (const auto type : { TensorType::F32, TensorType::Q4_0 }) {
            const RandomMatrix weights(type, columns, kRows, 4);
            for (const auto count : kInputs) {
                const auto in = randomFloats(count * columns, 400);
                const auto without = multiplied(table, ActivationMode::Q8, 3, weights, in);
                const auto with = multiplied(table, ActivationMode::Q8, 3, weights, in, &bias);
                for (std::size_t i = 0; i < count * kRows; ++i) {
                    QCOMPARE(with[i], without[i] + numbers[i % kRows]);
                }
            }
        }
    }

    void severalTargets_data() { tests::addKernelTables(); }
    void severalTargets()
    {
        constexpr std::size_t columns = 512;
        const auto& table = tests::kernelTable();
        const RandomMatrix first(TensorType::Q4_K, columns, kRows, 10);
        const RandomMatrix second(TensorType::F16, columns, 5, 60);
        const RandomMatrix third(TensorType::Q8_0, columns, 64, 70);
        const auto numbers = randomFloats(5, 6);
        const model::Vector bias(numbers);
        for (const auto count : kInputs) {
            const auto in = randomFloats(count * columns, 500);
            OpBench bench(table, 3, count);
            const auto input = bench.slot(columns, in);
            const auto a = bench.slot(kRows);
            const auto b = bench.slot(5);
            const auto c = bench.slot(64);
            run(bench.execution,
                model::op::Linear { input,
                                    { { &first.matrix, nullptr, a },
                                      { &second.matrix, &bias, b },
                                      { &third.matrix, nullptr, c } } });
            // the sums of one row do not depend on how the work was cut
            const auto mode = ActivationMode::Q8;
            QCOMPARE(bench.values(a), multiplied(table, mode, 1, first, in));
            QCOMPARE(bench.values(b), multiplied(table, mode, 1, second, in, &bias));
            QCOMPARE(bench.values(c), multiplied(table, mode, 1, third, in));
        }
    }

    void noRows()
    {
        const RandomMatrix weights(TensorType::F32, 32, 4, 1);
        QVERIFY(multiplied(kScalarKernels, ActivationMode::Q8, 2, weights, {}).empty());
    }

    void stopRequestedBefore()
    {
        const RandomMatrix weights(TensorType::Q4_0, 256, kRows, 1);
        for (const std::size_t count : { 1U, 20U }) {
            OpBench bench(kernels(), 2, count);
            const auto input = bench.slot(256, randomFloats(count * 256, 1));
            const auto out = bench.slot(kRows, std::vector<float>(count * kRows, 7.0F));
            std::stop_source source;
            source.request_stop();
            bench.execution.stop = source.get_token();
            run(bench.execution,
                model::op::Linear { input, { { &weights.matrix, nullptr, out } } });
            QCOMPARE(bench.values(out), std::vector<float>(count * kRows, 7.0F));
        }
    }

    // The scalar kernels need more than a second for this product.
    void stopRequestedMeanwhile()
    {
        constexpr std::size_t columns = 2048;
        constexpr std::size_t rows = 2048;
        constexpr std::size_t count = 400;
        const auto numbers = randomFloats(columns * rows, 1);
        const model::Matrix matrix { TensorType::F32, columns, rows, columns * sizeof(float),
                                     std::as_bytes(std::span(numbers)) };
        constexpr float untouched = 1e30F;
        OpBench bench(kScalarKernels, 2, count);
        const auto input = bench.slot(columns, randomFloats(count * columns, 2));
        const auto out = bench.slot(rows, std::vector<float>(count * rows, untouched));
        std::stop_source source;
        bench.execution.stop = source.get_token();
        QElapsedTimer sinceStop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            sinceStop.start();
            source.request_stop();
        });
        run(bench.execution, model::op::Linear { input, { { &matrix, nullptr, out } } });
        stopper.join();
        QVERIFY2(sinceStop.elapsed() < 500, qPrintable(QString::number(sinceStop.elapsed())));
        QVERIFY2(std::ranges::find(bench.values(out), untouched) != bench.values(out).end(),
                 "the product was finished all the same");
    }
};

QTEST_APPLESS_MAIN(TestLinear)
#include "tst_linear.moc"
