// The norms of the CPU backend against double: rms_norm, layer_norm, whole rows and pieces of them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

using namespace engine;
using namespace engine::backend::cpu;
using tests::OpBench;
using tests::randomFloats;

namespace {

struct Shape
{
    std::uint32_t pieces;
    std::uint32_t length; ///< of a piece
};

constexpr Shape kShapes[] = { { 1, 50 }, { 1, 576 }, { 5, 13 }, { 4, 64 } };
constexpr std::size_t kRowCounts[] = { 1, 3, 4, 29 };

enum class Weights { None, OfAPiece, OfTheRow };

model::Vector weightsOf(Weights kind, const Shape& shape, unsigned seed)
{
    switch (kind) {
    case Weights::None:
        break;
    case Weights::OfAPiece:
        return model::Vector(randomFloats(shape.length, seed));
    case Weights::OfTheRow:
        return model::Vector(randomFloats(std::size_t(shape.pieces) * shape.length, seed));
    }
    return {};
}

double weightAt(const model::Vector& weights, std::size_t column, double otherwise)
{
    return weights ? double(weights.values()[column % weights.values().size()]) : otherwise;
}

struct Moments
{
    double mean = 0.0;
    double square = 0.0; ///< mean of the squares
};

Moments momentsOf(std::span<const float> piece)
{
    Moments m;
    for (const double x : piece) {
        m.mean += x / double(piece.size());
        m.square += x * x / double(piece.size());
    }
    return m;
}

/// Calls f(shape, row count, kind of weights, epsilon) for all of them.
template <typename F>
void forCases(F&& f)
{
    for (const auto& shape : kShapes) {
        for (const auto rows : kRowCounts) {
            for (const auto kind : { Weights::None, Weights::OfAPiece, Weights::OfTheRow }) {
                for (const float epsilon : { 1e-5F, 0.5F }) {
                    f(shape, rows, kind, epsilon);
                }
            }
        }
    }
}

} // namespace

class TestNorms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rmsNorm_data() { tests::addKernelTables(); }
    void rmsNorm()
    {
        forCases([](const Shape& shape, std::size_t rows, Weights kind, float epsilon) {
            const auto width = shape.pieces * shape.length;
            const auto weight = weightsOf(kind, shape, 2);
            const auto in = randomFloats(rows * width, 3, 5.0F);
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto from = bench.slot(width, in);
            const auto to = bench.slot(width);
            const auto* weights = weight ? &weight : nullptr;
            run(bench.execution, model::op::RmsNorm { from, weights, epsilon, to, shape.pieces });
            for (std::size_t i = 0; i < in.size(); ++i) {
                const auto first = i / shape.length * shape.length;
                const auto m = momentsOf(std::span(in).subspan(first, shape.length));
                const double expected =
                    in[i] / std::sqrt(m.square + epsilon) * weightAt(weight, i % width, 1.0);
                QVERIFY(
                    tests::near(bench.values(to)[i], expected, 2e-6 * std::fabs(expected) + 1e-7));
            }
            // in place, as a graph's last norm does it
            run(bench.execution, model::op::RmsNorm { from, weights, epsilon, from, shape.pieces });
            QCOMPARE(bench.values(from), bench.values(to));
        });
    }

    void layerNorm_data() { tests::addKernelTables(); }
    void layerNorm()
    {
        forCases([](const Shape& shape, std::size_t rows, Weights kind, float epsilon) {
            const auto width = shape.pieces * shape.length;
            const auto weight = weightsOf(kind, shape, 4);
            const auto bias = weightsOf(kind, shape, 5);
            auto in = randomFloats(rows * width, 6, 2.0F);
            for (auto& x : in) {
                x += 20.0F; // far from 0: the variance is not the mean square
            }
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto from = bench.slot(width, in);
            const auto to = bench.slot(width);
            const model::op::LayerNorm op {
                from, weight ? &weight : nullptr, bias ? &bias : nullptr, epsilon, to, shape.pieces
            };
            run(bench.execution, op);
            for (std::size_t i = 0; i < in.size(); ++i) {
                const auto first = i / shape.length * shape.length;
                const auto m = momentsOf(std::span(in).subspan(first, shape.length));
                const double normed =
                    (in[i] - m.mean) / std::sqrt(m.square - m.mean * m.mean + epsilon);
                const double expected =
                    normed * weightAt(weight, i % width, 1.0) + weightAt(bias, i % width, 0.0);
                // the mean itself is only so exact
                QVERIFY(tests::near(bench.values(to)[i], expected, 1e-5));
            }
            auto inPlace = op;
            inPlace.out = from;
            run(bench.execution, inPlace);
            QCOMPARE(bench.values(from), bench.values(to));
        });
    }

    void ofZeros_data() { tests::addKernelTables(); }
    void ofZeros()
    {
        const model::Vector weight(std::vector<float>(32, 1.0F));
        OpBench bench(tests::kernelTable(), 1, 1);
        const auto slot = bench.slot(32, std::vector<float>(32, 0.0F));
        run(bench.execution, model::op::RmsNorm { slot, &weight, 1e-5F, slot });
        QCOMPARE(bench.values(slot), std::vector<float>(32, 0.0F));
        run(bench.execution, model::op::LayerNorm { slot, &weight, nullptr, 1e-5F, slot });
        QCOMPARE(bench.values(slot), std::vector<float>(32, 0.0F));
    }
};

QTEST_APPLESS_MAIN(TestNorms)
#include "tst_norms.moc"
