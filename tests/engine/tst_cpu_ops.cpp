// The small ops of the CPU backend: embed, add_positions, scale, scale_by_position, add, clamp,
// soft_cap, copy_pieces, store_kv, keep_outputs.
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

    void addPositions()
    {
        constexpr std::size_t width = 256;
        constexpr std::uint32_t position = 5;
        for (const auto type : { TensorType::F32, TensorType::F16, TensorType::Q6_K }) {
            const tests::RandomMatrix table(type, width, 20, 1);
            for (const auto rows : kRowCounts) {
                const auto before = randomFloats(rows * width, 11);
                OpBench bench(kernels(), 3, rows, position);
                const auto into = bench.slot(width, before);
                run(bench.execution, model::op::AddPositions { &table.matrix, into });
                for (std::size_t row = 0; row < rows; ++row) {
                    // positions behind the table's end take its last row
                    const auto learned = table.decoded(std::min<std::size_t>(position + row, 19));
                    for (std::size_t i = 0; i < width; ++i) {
                        const auto at = row * width + i;
                        QCOMPARE(bench.values(into)[at], before[at] + learned[i]);
                    }
                }
            }
        }
    }

    // In one slice, and in many.
    void scale()
    {
        for (const std::uint32_t width : { 7U, 6001U }) {
            for (const auto rows : kRowCounts) {
                const auto before = randomFloats(rows * width, 12);
                OpBench bench(kernels(), 3, rows);
                const auto values = bench.slot(width, before);
                run(bench.execution, model::op::Scale { values, -2.5F });
                for (std::size_t i = 0; i < before.size(); ++i) {
                    QCOMPARE(bench.values(values)[i], before[i] * -2.5F);
                }
            }
        }
    }

    void scaleByPosition()
    {
        constexpr std::uint32_t width = 6;
        constexpr std::uint32_t position = 12'285;
        for (const float offset : { 0.0F, 1.0F }) {
            const auto before = randomFloats(29 * width, 13);
            OpBench bench(kernels(), 3, 29, position);
            const auto values = bench.slot(width, before);
            run(bench.execution, model::op::ScaleByPosition { values, 0.1F, 4096.0F, offset });
            for (std::size_t i = 0; i < before.size(); ++i) {
                const double place = double(position) + double(i / width) + offset;
                const double factor = 1.0 + 0.1 * std::log(1.0 + (place < 12'288.0 ? 2.0 : 3.0));
                QVERIFY(tests::near(bench.values(values)[i], before[i] * factor,
                                    1e-6 * std::fabs(before[i])));
            }
        }
    }

    void clamp()
    {
        std::vector<float> numbers { -3.0F, -2.0F, -0.5F, 0.0F, 0.5F, 2.0F, 3.0F, 1e30F, -1e30F };
        OpBench bench(kernels(), 1, 1);
        const auto values = bench.slot(static_cast<std::uint32_t>(numbers.size()), numbers);
        run(bench.execution, model::op::Clamp { values, 2.0F });
        const std::vector<float> expected {
            -2.0F, -2.0F, -0.5F, 0.0F, 0.5F, 2.0F, 2.0F, 2.0F, -2.0F
        };
        QCOMPARE(bench.values(values), expected);
    }

    void softCap_data() { tests::addKernelTables(); }
    void softCap()
    {
        for (const std::uint32_t width : { 13U, 20'011U }) {
            auto numbers = randomFloats(width, 14, 40.0F);
            numbers[0] = 0.0F;
            numbers[1] = 1e-20F;
            numbers[2] = 1e4F;
            numbers[3] = -1e4F;
            numbers[4] = 5.999F; // next to where one formula takes over from another
            numbers[5] = 6.001F;
            OpBench bench(tests::kernelTable(), 3, 1);
            const auto values = bench.slot(width, numbers);
            run(bench.execution, model::op::SoftCap { values, 30.0F });
            for (std::size_t i = 0; i < width; ++i) {
                const double expected = 30.0 * std::tanh(numbers[i] / 30.0);
                QVERIFY2(tests::near(bench.values(values)[i], expected, 1e-6 * std::fabs(expected)),
                         qPrintable(QString::number(numbers[i])));
            }
        }
    }

    void copyPieces()
    {
        constexpr std::uint32_t inWidth = 30;
        constexpr std::uint32_t outWidth = 23;
        for (const auto rows : kRowCounts) {
            const auto in = randomFloats(rows * inWidth, 15);
            const std::vector<float> before(rows * outWidth, 9.0F);
            for (const std::uint32_t fromStride : { 7U, 0U }) {
                OpBench bench(kernels(), 3, rows);
                const auto from = bench.slot(inWidth, in);
                const auto to = bench.slot(outWidth, before);
                run(bench.execution,
                    model::op::CopyPieces { from, { 2, fromStride }, to, { 3, 5 }, 4, 3 });
                auto expected = before;
                for (std::size_t row = 0; row < rows; ++row) {
                    for (std::size_t piece = 0; piece < 4; ++piece) {
                        for (std::size_t i = 0; i < 3; ++i) {
                            expected[row * outWidth + 3 + 5 * piece + i] =
                                in[row * inWidth + 2 + fromStride * piece + i];
                        }
                    }
                }
                QCOMPARE(bench.values(to), expected);
            }
        }
    }

    void storeKv_data() { tests::addKernelTables(); }
    void storeKv()
    {
        const model::KvGeometry geometry { { { 1, 7, 9 }, { 2, 20, 12 }, { 3, 8, 8 } } };
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
                    const auto& shape = geometry.layers[layer];
                    for (std::uint32_t head = 0; head < shape.heads; ++head) {
                        const auto last = layer == 1 ? position + rows : 0;
                        QVERIFY(holds(type, e.cache.keys<float>(layer, head),
                                      e.cache.keys<std::uint16_t>(layer, head), keys, head,
                                      shape.keyLength, last));
                        QVERIFY(holds(type, e.cache.values<float>(layer, head),
                                      e.cache.values<std::uint16_t>(layer, head), values, head,
                                      shape.valueLength, last));
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
