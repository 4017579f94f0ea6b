// The small ops of the CPU backend: embed, rms_norm, add, swiglu, store_kv, keep_outputs.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend;
using namespace engine::backend::cpu;
using gguf::TensorType;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::size_t kRowCounts[] = { 1, 3, 4, 29 }; // below and above what is spread over threads

std::vector<float> part(const std::vector<float>& values, std::size_t first, std::size_t count)
{
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return { begin, begin + static_cast<std::ptrdiff_t>(count) };
}

} // namespace

class TestCpuOps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void embed_data()
    {
        QTest::addColumn<int>("type");
        for (const auto type : { TensorType::F32, TensorType::F16, TensorType::BF16,
                                 TensorType::Q4_0, TensorType::Q8_0, TensorType::Q6_K }) {
            QTest::newRow(gguf::tensorTypeInfo(type).name.data()) << int(type);
        }
    }
    void embed()
    {
        QFETCH(int, type);
        constexpr std::size_t width = 512;
        const tests::RandomMatrix table(TensorType(type), width, 11, 1);
        for (const auto rows : kRowCounts) {
            std::vector<text::TokenId> tokens;
            for (std::size_t i = 0; i < rows; ++i) {
                tokens.push_back(static_cast<text::TokenId>(i * 7 % 11));
            }
            OpBench bench(kernels(), 3, rows);
            bench.execution.batch.tokens = tokens;
            const auto out = bench.slot(width);
            run(bench.execution, model::op::Embed { &table.matrix, out });
            for (std::size_t i = 0; i < rows; ++i) {
                QCOMPARE(part(bench.values(out), i * width, width),
                         table.decoded(static_cast<std::size_t>(tokens[i])));
            }
        }
    }

    void rmsNorm_data() { tests::addKernelTables(); }
    void rmsNorm()
    {
        for (const std::uint32_t width : { 50U, 576U }) {
            const auto numbers = randomFloats(width, 2);
            const model::Vector weight(numbers);
            for (const auto rows : kRowCounts) {
                const auto in = randomFloats(rows * width, 3, 5.0F);
                for (const float epsilon : { 1e-5F, 0.5F }) {
                    OpBench bench(tests::kernelTable(), 3, rows);
                    const auto from = bench.slot(width, in);
                    const auto to = bench.slot(width);
                    run(bench.execution, model::op::RmsNorm { from, &weight, epsilon, to });
                    // in place, as the graph's last norm does it
                    run(bench.execution, model::op::RmsNorm { from, &weight, epsilon, from });
                    QCOMPARE(bench.values(from), bench.values(to));
                    for (std::size_t row = 0; row < rows; ++row) {
                        double squares = 0.0;
                        for (std::size_t i = 0; i < width; ++i) {
                            squares += double(in[row * width + i]) * in[row * width + i];
                        }
                        const double factor = 1.0 / std::sqrt(squares / width + epsilon);
                        for (std::size_t i = 0; i < width; ++i) {
                            const double expected = in[row * width + i] * factor * numbers[i];
                            QVERIFY(tests::near(bench.values(to)[row * width + i], expected,
                                                2e-6 * std::fabs(expected) + 1e-7));
                        }
                    }
                }
            }
        }
    }

    void rmsNormOfZeros()
    {
        const model::Vector weight(std::vector<float>(32, 1.0F));
        OpBench bench(kernels(), 1, 1);
        const auto slot = bench.slot(32, std::vector<float>(32, 0.0F));
        run(bench.execution, model::op::RmsNorm { slot, &weight, 1e-5F, slot });
        QCOMPARE(bench.values(slot), std::vector<float>(32, 0.0F));
    }

    void add_data() { tests::addKernelTables(); }
    void add()
    {
        constexpr std::uint32_t width = 53;
        for (const auto rows : kRowCounts) {
            const auto a = randomFloats(rows * width, 4);
            const auto b = randomFloats(rows * width, 5);
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto into = bench.slot(width, a);
            const auto from = bench.slot(width, b);
            run(bench.execution, model::op::Add { into, from });
            for (std::size_t i = 0; i < a.size(); ++i) {
                QCOMPARE(bench.values(into)[i], a[i] + b[i]);
            }
            QCOMPARE(bench.values(from), b);
        }
    }

    void swiGlu_data() { tests::addKernelTables(); }
    void swiGlu()
    {
        constexpr std::uint32_t width = 77;
        for (const auto rows : kRowCounts) {
            auto a = randomFloats(rows * width, 6, 4.0F);
            a[0] = 0.0F;
            a[1] = 200.0F; // exp(-x) underflows
            a[2] = -200.0F; // exp(-x) overflows
            const auto b = randomFloats(rows * width, 7);
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto gate = bench.slot(width, a);
            const auto up = bench.slot(width, b);
            run(bench.execution, model::op::SwiGlu { gate, up });
            for (std::size_t i = 0; i < a.size(); ++i) {
                const double expected = a[i] / (1.0 + std::exp(-double(a[i]))) * b[i];
                QVERIFY2(
                    tests::near(bench.values(gate)[i], expected, 1e-6 * std::fabs(expected) + 1e-7),
                    qPrintable(QString("silu(%1)").arg(double(a[i]))));
            }
        }
    }

    void storeKv_data() { tests::addKernelTables(); }
    void storeKv()
    {
        const model::KvGeometry geometry { 3, 2, 20, 12 };
        constexpr std::uint32_t context = 40;
        constexpr std::uint32_t position = 6;
        for (const auto type : { CacheType::F32, CacheType::F16 }) {
            for (const auto rows : kRowCounts) {
                OpBench bench(tests::kernelTable(), 3, rows, position);
                auto& e = bench.execution;
                QVERIFY(e.cache.allocate(geometry, type, context).has_value());
                const auto keys = randomFloats(rows * 40, 8);
                const auto values = randomFloats(rows * 24, 9);
                const auto key = bench.slot(40, keys);
                const auto value = bench.slot(24, values);
                run(e, model::op::StoreKv { 1, key, value });
                for (std::uint32_t layer = 0; layer < 3; ++layer) {
                    for (std::uint32_t head = 0; head < 2; ++head) {
                        const auto last = layer == 1 ? position + rows : 0;
                        QVERIFY(holds(type, e.cache.keys<float>(layer, head),
                                      e.cache.keys<std::uint16_t>(layer, head), keys, head, 20,
                                      last));
                        QVERIFY(holds(type, e.cache.values<float>(layer, head),
                                      e.cache.values<std::uint16_t>(layer, head), values, head, 12,
                                      last));
                    }
                }
            }
        }
    }

    void keepOutputs()
    {
        constexpr std::uint32_t width = 5;
        const auto in = randomFloats(4 * width, 10);
        const auto kept = [&](Outputs outputs) {
            OpBench bench(kernels(), 2, 4);
            bench.execution.batch.outputs = outputs;
            const auto from = bench.slot(width, in);
            const auto to = bench.slot(width);
            run(bench.execution, model::op::KeepOutputs { from, to });
            return part(bench.values(to), 0, bench.execution.rows * width);
        };
        QCOMPARE(kept(Outputs::All), in);
        QCOMPARE(kept(Outputs::Last), part(in, 3 * width, width));
        QCOMPARE(kept(Outputs::None), std::vector<float>());
    }

    void opsHaveNames()
    {
        QCOMPARE(model::opName(model::op::Embed {}), std::string_view("embed"));
        QCOMPARE(model::opName(model::op::Attention {}), std::string_view("attention"));
        QCOMPARE(model::opName(model::op::KeepOutputs {}), std::string_view("keep_outputs"));
    }

private:
    /// One head of the cache: zeros, then its part of each row from position 6 to `last`, then
    /// zeros.
    static bool holds(CacheType type, const float* floats, const std::uint16_t* halfs,
                      const std::vector<float>& rows, std::uint32_t head, std::size_t length,
                      std::size_t last)
    {
        for (std::size_t p = 0; p < 40; ++p) {
            for (std::size_t i = 0; i < length; ++i) {
                const bool written = p >= 6 && p < last;
                const float expected =
                    written ? rows[(p - 6) * 2 * length + head * length + i] : 0.0F;
                const auto at = p * length + i;
                if (type == CacheType::F32 ? floats[at] != expected
                                           : halfs[at] != quant::floatToHalf(expected)) {
                    return false;
                }
            }
        }
        return true;
    }
};

QTEST_APPLESS_MAIN(TestCpuOps)
#include "tst_cpu_ops.moc"
