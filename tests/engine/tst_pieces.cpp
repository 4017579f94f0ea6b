// The ops of Gemma 3n, Gemma 4, Llama 4 and Apertus against double: scale_by, mix_pieces,
// match_length, sparsify, xielu, attention in stretches, weights of experts with their own scales.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend::cpu;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::size_t kRowCounts[] = { 1, 3, 29 };

QString named(std::size_t i, double value, double expected)
{
    return QString("number %1 is %2 instead of %3").arg(i).arg(value).arg(expected);
}

} // namespace

class TestPieces : public QObject
{
    Q_OBJECT

    /// Each number near what `expected(i)` says.
    template <typename F>
    static void compare(const std::vector<float>& values, double tolerance, F&& expected)
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double wanted = expected(i);
            QVERIFY2(tests::near(values[i], wanted, tolerance * std::max(1.0, std::fabs(wanted))),
                     qPrintable(named(i, values[i], wanted)));
        }
    }

private Q_SLOTS:
    void scaleBy_data() { tests::addKernelTables(); }
    void scaleBy()
    {
        for (const std::size_t length : { 1U, 37U }) {
            const auto weights = randomFloats(length, 2);
            const model::Vector weight(weights);
            const auto before = randomFloats(29 * 37, 1);
            OpBench bench(tests::kernelTable(), 2, 29);
            const auto slot = bench.slot(37, before);
            run(bench.execution, model::op::ScaleBy { slot, &weight });
            compare(bench.values(slot), 1e-7, [&](std::size_t i) {
                return double(before[i]) * weights[length == 1 ? 0 : i % 37];
            });
        }
    }

    void mixPieces_data() { tests::addKernelTables(); }
    void mixPieces()
    {
        constexpr std::uint32_t length = 9;
        constexpr std::uint32_t count = 3;
        constexpr std::uint32_t sources = 2;
        constexpr std::uint32_t width = 4 * length; // the first piece stays as it is
        for (const auto rows : kRowCounts) {
            for (const bool isWeighted : { true, false }) {
                const auto before = randomFloats(rows * width, 1);
                const auto from = randomFloats(rows * sources * length, 2);
                const auto weights = randomFloats(rows * count * sources, 3);
                OpBench bench(tests::kernelTable(), 2, rows);
                const auto into = bench.slot(width, before);
                const auto in = bench.slot(sources * length, from);
                const auto weight = isWeighted ? bench.slot(count * sources, weights) : -1;
                run(bench.execution,
                    model::op::MixPieces {
                        into, { length, length }, count, in, sources, length, weight, 0.75F });
                compare(bench.values(into), 1e-6, [&](std::size_t i) {
                    const auto row = i / width;
                    const auto at = i % width;
                    double sum = before[i];
                    for (std::size_t j = 0; at >= length && j < sources; ++j) {
                        const auto piece = at / length - 1;
                        const double factor = 0.75
                            + (isWeighted ? weights[(row * count + piece) * sources + j] : 0.0F);
                        sum += factor * from[(row * sources + j) * length + at % length];
                    }
                    return sum;
                });
            }
        }
    }

    void matchLength_data() { tests::addKernelTables(); }
    void matchLength()
    {
        constexpr std::uint32_t length = 19;
        constexpr std::uint32_t width = 3 * length;
        for (const auto rows : kRowCounts) {
            auto before = randomFloats(rows * width, 1);
            std::fill_n(before.begin() + length, length, 0.0F); // without a direction
            const auto like = randomFloats(rows * length, 2, 5.0F);
            OpBench bench(tests::kernelTable(), 2, rows);
            const auto values = bench.slot(width, before);
            const auto model = bench.slot(length, like);
            run(bench.execution, model::op::MatchLength { values, { length, length }, 2, model });
            const auto norm = [&](const std::vector<float>& of, std::size_t first) {
                double squares = 0.0;
                for (std::size_t k = 0; k < length; ++k) {
                    squares += double(of[first + k]) * of[first + k];
                }
                return std::sqrt(squares);
            };
            compare(bench.values(values), 1e-6, [&](std::size_t i) {
                if (i % width < length) {
                    return double(before[i]); // another piece
                }
                const double own = norm(before, i / length * length);
                return own == 0.0 ? 0.0 : before[i] * norm(like, i / width * length) / own;
            });
        }
    }

    void sparsify_data() { tests::addKernelTables(); }
    void sparsify()
    {
        constexpr std::size_t width = 200;
        for (const auto rows : kRowCounts) {
            auto before = randomFloats(rows * width, 1, 3.0F);
            std::ranges::transform(before, before.begin(), [](float x) { return x + 40.0F; });
            OpBench bench(tests::kernelTable(), 2, rows);
            const auto slot = bench.slot(width, before);
            run(bench.execution, model::op::Sparsify { slot, 1.6448F });
            std::size_t kept = 0;
            compare(bench.values(slot), 2e-5, [&](std::size_t i) {
                const float* row = before.data() + i / width * width;
                double mean = 0.0;
                double squares = 0.0;
                for (std::size_t k = 0; k < width; ++k) {
                    mean += row[k] / double(width);
                }
                for (std::size_t k = 0; k < width; ++k) {
                    squares += (row[k] - mean) * (row[k] - mean);
                }
                const double cut = mean + 1.6448 * std::sqrt(squares / double(width - 1));
                kept += before[i] > cut ? 1 : 0;
                return std::max(before[i] - cut, 0.0);
            });
            QVERIFY(kept > 0 && kept < rows * width / 10);
        }
    }

    void xielu_data() { tests::addKernelTables(); }
    void xielu()
    {
        auto before = randomFloats(500, 1, 2.0F);
        before[0] = 0.0F;
        before[1] = -80.0F;
        OpBench bench(tests::kernelTable(), 2, 5);
        const auto slot = bench.slot(100, before);
        run(bench.execution, model::op::Xielu { slot, 0.9F, 0.7F, 0.5F, -1e-6F });
        compare(bench.values(slot), 1e-6, [&](std::size_t i) {
            const double x = before[i];
            return x > 0.0 ? 0.7 * x * x + 0.5 * x
                           : (std::expm1(std::min(x, -1e-6)) - x) * 0.9 + 0.5 * x;
        });
    }

    void expertScales()
    {
        const auto scales = std::vector<float> { 1.0F, 2.0F, 3.0F, 4.0F };
        const model::Vector own(scales);
        OpBench bench(*runnableKernels().front(), 1, 1);
        const auto scores = bench.slot(4, { 0.0F, std::log(3.0F), -9.0F, std::log(2.0F) });
        const auto out = bench.slot(4);
        model::op::Route op { scores, out, 2 };
        op.normalize = true;
        op.scale = 0.5F;
        op.expertScales = &own;
        run(bench.execution, op);
        const auto& found = bench.values(out);
        QCOMPARE(found[0], 1.0F);
        QCOMPARE(found[1], 3.0F);
        QVERIFY(tests::near(found[2], 0.5 * 2.0 * 3.0 / 5.0, 1e-6));
        QVERIFY(tests::near(found[3], 0.5 * 4.0 * 2.0 / 5.0, 1e-6));
    }

    /// With keys alike the values' mean is what comes out: it shows which ones were seen.
    void stretches_data() { tests::addKernelTables(); }
    void stretches()
    {
        constexpr std::uint32_t tokens = 23;
        constexpr std::uint32_t chunk = 5;
        for (const bool oneByOne : { false, true }) {
            OpBench bench(tests::kernelTable(), 2, 0);
            auto& e = bench.execution;
            e.contextLength = 32;
            QVERIFY(
                e.cache.allocate(model::uniformKv(1, { 1, 4, 4 }), backend::CacheType::F32, 32));
            const std::uint32_t step = oneByOne ? 1 : tokens;
            for (std::uint32_t first = 0; first < tokens; first += step) {
                e.rows = step;
                e.batch.position = first;
                std::vector<float> values;
                for (std::uint32_t t = first; t < first + step; ++t) {
                    values.insert(values.end(), 4, static_cast<float>(t));
                }
                const auto key = bench.slot(4, std::vector<float>(step * 4, 1.0F));
                const auto value = bench.slot(4, values);
                const auto query = bench.slot(4, std::vector<float>(step * 4, 1.0F));
                const auto out = bench.slot(4);
                run(e, model::op::StoreKv { 0, key, value });
                model::op::Attention op { 0, query, out, 1, 1.0F };
                op.chunk = chunk;
                run(e, op);
                compare(bench.values(out), 1e-6, [&](std::size_t i) {
                    const auto position = first + i / 4;
                    const auto begin = position - position % chunk;
                    return double(begin + position) / 2.0;
                });
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestPieces)
#include "tst_pieces.moc"
