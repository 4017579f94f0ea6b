// Mixtures of experts on the CPU backend against double: route, expert_linear, combine_experts; and
// head_linear, the other op with a matrix for each part. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

#include <numeric>

using namespace engine;
using namespace engine::backend;
using namespace engine::backend::cpu;
using gguf::TensorType;
using model::op::Route;
using tests::OpBench;
using tests::randomFloats;
using tests::RandomMatrix;

namespace {

constexpr std::size_t kRowCounts[] = { 1, 3, 29 };

struct Chosen
{
    std::vector<std::size_t> experts;
    std::vector<double> weights;
};

std::vector<double> softmax(const std::vector<double>& logits)
{
    const double most = *std::max_element(logits.begin(), logits.end());
    std::vector<double> out;
    double sum = 0.0;
    for (const auto x : logits) {
        out.push_back(std::exp(x - most));
        sum += out.back();
    }
    for (auto& x : out) {
        x /= sum;
    }
    return out;
}

/// The numbers of the `count` largest, of equal ones the first.
std::vector<std::size_t> best(const std::vector<double>& values, std::size_t count)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    order.resize(count);
    return order;
}

/// What the contract of op::Route says, step by step.
Chosen expectedRoute(const Route& op, std::span<const float> logits)
{
    std::vector<double> probabilities(logits.begin(), logits.end());
    if (op.gating == Route::Gating::Softmax) {
        probabilities = softmax(probabilities);
    } else if (op.gating == Route::Gating::Sigmoid) {
        for (auto& p : probabilities) {
            p = 1.0 / (1.0 + std::exp(-p));
        }
    }
    auto choice = probabilities;
    for (std::size_t e = 0; op.bias && e < choice.size(); ++e) {
        choice[e] += op.bias->values()[e];
    }
    const auto size = choice.size() / op.groups;
    std::vector<double> groups;
    for (std::size_t g = 0; g < op.groups; ++g) {
        std::vector<double> group(choice.begin() + std::ptrdiff_t(g * size),
                                  choice.begin() + std::ptrdiff_t((g + 1) * size));
        std::sort(group.rbegin(), group.rend());
        groups.push_back(size > 1 ? group[0] + group[1] : group[0]);
    }
    const auto kept = best(groups, op.groupsUsed);
    for (std::size_t e = 0; op.groups > 1 && e < choice.size(); ++e) {
        if (std::find(kept.begin(), kept.end(), e / size) == kept.end()) {
            choice[e] = -1e300;
        }
    }
    Chosen chosen { best(choice, op.used), {} };
    for (const auto e : chosen.experts) {
        chosen.weights.push_back(probabilities[e]);
    }
    if (op.gating == Route::Gating::SoftmaxOfChosen) {
        chosen.weights = softmax(chosen.weights);
    }
    const double sum = std::accumulate(chosen.weights.begin(), chosen.weights.end(), 0.0);
    for (auto& weight : chosen.weights) {
        weight = weight / (op.normalize ? std::max(sum, 6.1e-5) : 1.0) * op.scale;
    }
    return chosen;
}

/// Runs the op and compares each token's choice.
void checkRoute(Route op, std::uint32_t experts, const std::vector<float>& logits)
{
    const auto rows = logits.size() / experts;
    OpBench bench(kernels(), 3, rows);
    op.scores = bench.slot(experts, logits);
    op.out = bench.slot(2 * op.used);
    run(bench.execution, op);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto expected = expectedRoute(op, std::span(logits).subspan(row * experts, experts));
        const float* out = bench.values(op.out).data() + row * 2 * op.used;
        for (std::size_t i = 0; i < op.used; ++i) {
            QCOMPARE(out[i], static_cast<float>(expected.experts[i]));
            QVERIFY(tests::near(out[op.used + i], expected.weights[i],
                                2e-6 * std::fabs(expected.weights[i])));
        }
    }
}

/// A stack that owns its bytes.
struct RandomStack
{
    RandomStack(TensorType type, std::size_t columns, std::size_t rows, std::uint32_t count,
                unsigned seed)
        : all(type, columns, rows * count, seed)
        , stack { all.matrix, count }
    {
    }
    /// A row of one matrix.
    [[nodiscard]] std::vector<float> decoded(std::uint32_t matrix, std::size_t row) const
    {
        return all.decoded(matrix * stack.rowsOfOne() + row);
    }

    RandomMatrix all;
    model::MatrixStack stack;
};

struct Sum
{
    double value = 0.0;
    double magnitude = 0.0;
};

Sum product(const std::vector<float>& weights, const float* in)
{
    Sum s;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        s.value += double(weights[i]) * in[i];
        s.magnitude += std::fabs(double(weights[i]) * in[i]);
    }
    return s;
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

constexpr std::uint32_t kUsed = 3;
constexpr std::uint32_t kExperts = 7;

/// Three different experts a token; the first expert serves all, the last one few.
std::vector<float> routes(std::size_t rows)
{
    std::vector<float> out;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto second = 1 + row % 4;
        const auto third = row % 13 == 1 ? kExperts - 1 : 5;
        for (const auto expert : { second, std::size_t(0), std::size_t(third) }) {
            out.push_back(static_cast<float>(expert));
        }
        const auto weights = randomFloats(kUsed, unsigned(row));
        out.insert(out.end(), weights.begin(), weights.end());
    }
    return out;
}

} // namespace

class TestExperts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void route()
    {
        const model::Vector bias(randomFloats(16, 2));
        for (const auto gating :
             { Route::Gating::Softmax, Route::Gating::Sigmoid, Route::Gating::SoftmaxOfChosen }) {
            for (const std::uint32_t used : { 1U, 2U, 6U, 16U }) {
                for (const auto* b : { static_cast<const model::Vector*>(nullptr), &bias }) {
                    for (const bool normalize : { false, true }) {
                        for (const auto rows : kRowCounts) {
                            checkRoute({ 0, 0, used, gating, b, 1, 1, normalize, 2.5F }, 16,
                                       randomFloats(rows * 16, 3, 2.0F));
                        }
                    }
                }
            }
        }
    }

    void routeInGroups()
    {
        const model::Vector bias(randomFloats(24, 4));
        for (const std::uint32_t groups : { 2U, 4U, 8U, 24U }) {
            for (const std::uint32_t used : { 1U, 3U }) {
                // enough experts in the groups that stay
                const auto groupsUsed = std::max(1U, groups / 4 + used / 3 * 2);
                checkRoute({ 0, 0, used, Route::Gating::Sigmoid, &bias, groups,
                             std::min(groups, groupsUsed), true, 1.0F },
                           24, randomFloats(40 * 24, 5, 2.0F));
            }
        }
    }

    void routeOfEqualLogits()
    {
        for (const std::uint32_t groups : { 1U, 4U }) {
            checkRoute({ 0, 0, 3, Route::Gating::Softmax, nullptr, groups, groups / 2 + 1 }, 8,
                       std::vector<float>(8, 1.0F));
            checkRoute({ 0, 0, 2, Route::Gating::Sigmoid, nullptr, groups, groups / 2 + 1 }, 8,
                       { 0, 2, 1, 2, 2, 1, 0, 2 });
        }
    }

    // Sigmoids of which nothing is left must not be divided by nothing.
    void routeOfTinyWeights()
    {
        checkRoute({ 0, 0, 2, Route::Gating::Sigmoid, nullptr, 1, 1, true }, 4,
                   { -40.0F, -50.0F, -30.0F, -60.0F });
        checkRoute({ 0, 0, 2, Route::Gating::Softmax, nullptr, 1, 1, true }, 4,
                   { 1e4F, -1e4F, 3e4F, 0.0F });
    }

    // A damaged model's numbers still name experts that exist.
    void routeOfNaN()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const auto gating : { Route::Gating::Softmax, Route::Gating::Sigmoid }) {
            OpBench bench(kernels(), 1, 1);
            const auto scores = bench.slot(6, { nan, 1.0F, nan, 2.0F, nan, nan });
            const auto out = bench.slot(8);
            run(bench.execution, Route { scores, out, 4, gating, nullptr, 3, 2 });
            for (std::size_t i = 0; i < 4; ++i) {
                const float expert = bench.values(out)[i];
                QVERIFY(expert >= 0.0F && expert < 6.0F && expert == std::floor(expert));
            }
        }
    }

    void expertLinear_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("table");
        const auto tables = runnableKernels();
        for (const auto type : { TensorType::F32, TensorType::F16, TensorType::Q4_0,
                                 TensorType::Q4_K, TensorType::Q8_K }) {
            for (std::size_t t = 0; t < tables.size(); ++t) {
                QTest::addRow("%s %s", gguf::tensorTypeInfo(type).name.data(), tables[t]->name)
                    << int(type) << int(t);
            }
        }
    }
    void expertLinear()
    {
        QFETCH(int, type);
        constexpr std::size_t columns = 768; // more than a float panel holds at once
        constexpr std::uint32_t outRows = 21; // no multiple of a panel
        const RandomStack first(TensorType(type), columns, outRows, kExperts, 1);
        const RandomStack second(TensorType::Q8_0, columns, 5, kExperts, 1000);
        const auto bias = randomFloats(kExperts * outRows, 6);
        const model::Vector biases(bias);
        for (const auto mode : { ActivationMode::Float, ActivationMode::Q8 }) {
            for (const bool shared : { true, false }) {
                for (const std::size_t rows : { 1U, 2U, 40U }) {
                    const auto width =
                        static_cast<std::uint32_t>(shared ? columns : columns * kUsed);
                    const auto in = randomFloats(rows * width, 7);
                    const auto route = routes(rows);
                    OpBench bench(tests::kernelTable(), 3, rows);
                    bench.execution.activations = mode;
                    const auto input = bench.slot(width, in);
                    const auto routeSlot = bench.slot(2 * kUsed, route);
                    const auto a = bench.slot(kUsed * outRows);
                    const auto b = bench.slot(kUsed * 5);
                    run(bench.execution,
                        model::op::ExpertLinear {
                            input,
                            routeSlot,
                            kUsed,
                            { { &first.stack, &biases, a }, { &second.stack, nullptr, b } } });
                    const auto eightBits = rounded(in);
                    const bool firstIsRounded =
                        mode == ActivationMode::Q8 && kernels().quant(TensorType(type));
                    checkExperts(first, bias, route, firstIsRounded ? eightBits : in, width,
                                 bench.values(a));
                    checkExperts(second, {}, route, mode == ActivationMode::Q8 ? eightBits : in,
                                 width, bench.values(b));
                }
            }
        }
    }

    void combineExperts_data() { tests::addKernelTables(); }
    void combineExperts()
    {
        constexpr std::uint32_t width = 71;
        for (const auto rows : kRowCounts) {
            const auto in = randomFloats(rows * kUsed * width, 8);
            const auto route = routes(rows);
            OpBench bench(tests::kernelTable(), 3, rows);
            const auto from = bench.slot(kUsed * width, in);
            const auto routeSlot = bench.slot(2 * kUsed, route);
            const auto out = bench.slot(width, std::vector<float>(rows * width, 99.0F));
            run(bench.execution, model::op::CombineExperts { from, routeSlot, kUsed, out });
            for (std::size_t row = 0; row < rows; ++row) {
                for (std::size_t i = 0; i < width; ++i) {
                    double expected = 0.0;
                    for (std::size_t k = 0; k < kUsed; ++k) {
                        expected += double(route[row * 2 * kUsed + kUsed + k])
                            * in[(row * kUsed + k) * width + i];
                    }
                    QVERIFY(tests::near(bench.values(out)[row * width + i], expected, 2e-6));
                }
            }
        }
    }

    void headLinear_data() { expertLinear_data(); }
    void headLinear()
    {
        QFETCH(int, type);
        constexpr std::size_t columns = 256;
        constexpr std::uint32_t outRows = 21;
        constexpr std::uint32_t heads = 3;
        constexpr model::op::Pieces from { 4, columns + 8 };
        constexpr model::op::Pieces to { 2, outRows + 3 };
        constexpr std::uint32_t inWidth = 4 + heads * (columns + 8);
        constexpr std::uint32_t outWidth = 2 + heads * (outRows + 3);
        const RandomStack stack(TensorType(type), columns, outRows, heads, 1);
        for (const auto mode : { ActivationMode::Float, ActivationMode::Q8 }) {
            for (const std::size_t rows : { 1U, 2U, 40U }) {
                const auto in = randomFloats(rows * inWidth, 9);
                OpBench bench(tests::kernelTable(), 3, rows);
                bench.execution.activations = mode;
                const auto input = bench.slot(inWidth, in);
                const auto out = bench.slot(outWidth, std::vector<float>(rows * outWidth, 5.0F));
                run(bench.execution, model::op::HeadLinear { input, from, &stack.stack, out, to });
                auto left = bench.values(out); // what is compared becomes 5 again
                for (std::size_t row = 0; row < rows; ++row) {
                    for (std::uint32_t head = 0; head < heads; ++head) {
                        const auto at = row * inWidth + from.offset + head * from.stride;
                        std::vector<float> piece(in.begin() + std::ptrdiff_t(at),
                                                 in.begin() + std::ptrdiff_t(at + columns));
                        if (mode == ActivationMode::Q8 && kernels().quant(TensorType(type))) {
                            piece = rounded(piece);
                        }
                        for (std::size_t r = 0; r < outRows; ++r) {
                            float& got = left[row * outWidth + to.offset + head * to.stride + r];
                            const auto e = product(stack.decoded(head, r), piece.data());
                            QVERIFY(tests::near(got, e.value, 3e-6 * e.magnitude));
                            got = 5.0F;
                        }
                    }
                }
                QCOMPARE(left, std::vector<float>(rows * outWidth, 5.0F));
            }
        }
    }

private:
    /// `in` as the product sees it; its rows are `width` wide.
    static void checkExperts(const RandomStack& stack, const std::vector<float>& bias,
                             const std::vector<float>& route, const std::vector<float>& in,
                             std::size_t width, const std::vector<float>& out)
    {
        const auto rows = stack.stack.rowsOfOne();
        const auto columns = stack.all.matrix.columns;
        for (std::size_t choice = 0; choice < out.size() / rows; ++choice) {
            const auto row = choice / kUsed;
            const auto place = choice % kUsed;
            const auto expert = static_cast<std::uint32_t>(route[row * 2 * kUsed + place]);
            const float* input = in.data() + row * width + (width == columns ? 0 : place * columns);
            for (std::size_t r = 0; r < rows; ++r) {
                const auto e = product(stack.decoded(expert, r), input);
                const double expected = e.value + (bias.empty() ? 0.0F : bias[expert * rows + r]);
                QVERIFY2(tests::near(out[choice * rows + r], expected, 3e-6 * e.magnitude),
                         qPrintable(QString("choice %1 of expert %2: %3 instead of %4")
                                        .arg(choice)
                                        .arg(expert)
                                        .arg(double(out[choice * rows + r]))
                                        .arg(expected)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestExperts)
#include "tst_experts.moc"
