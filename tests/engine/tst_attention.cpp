// The attention op against a naive softmax in double: cache types, grouped heads, few and many
// rows. SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_bench.h"

#include <QTest>

#include <limits>

using namespace engine;
using namespace engine::backend;
using namespace engine::backend::cpu;
using tests::OpBench;
using tests::randomFloats;

namespace {

constexpr std::uint32_t kHeads = 4;
constexpr std::uint32_t kLayer = 1; // of two: the other one must not be read
constexpr std::uint32_t kContext = 150;

struct Shape
{
    std::uint32_t kvHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
    std::size_t rows;
    std::uint32_t position;
    int threads;
};

/// Fills one head's keys or values up to the last row of the batch; what lies behind is NaN, so
/// that a look into the future shows.
void fill(CacheType type, float* floats, std::uint16_t* halfs, const std::vector<float>& numbers,
          std::size_t capacity)
{
    for (std::size_t i = 0; i < capacity; ++i) {
        const float x = i < numbers.size() ? numbers[i] : std::numeric_limits<float>::quiet_NaN();
        if (type == CacheType::F32) {
            floats[i] = x;
        } else {
            halfs[i] = quant::floatToHalf(x);
        }
    }
}

/// What the cache gives back.
double stored(CacheType type, float x)
{
    return type == CacheType::F32 ? x : quant::halfToFloat(quant::floatToHalf(x));
}

/// Runs the op on random numbers and gives the largest distance to softmax(scale · q kᵀ) v.
class Case
{
public:
    Case(const Kernels& table, CacheType type, const Shape& shape, float spread)
        : m_type(type)
        , m_shape(shape)
        , m_bench(table, shape.threads, shape.rows, shape.position)
        , m_query(randomFloats(shape.rows * kHeads * shape.keyLength, 1, spread))
    {
    }

    double largestError()
    {
        auto& e = m_bench.execution;
        e.contextLength = kContext;
        const model::KvGeometry geometry {
            { { 3, 5, 7 }, { m_shape.kvHeads, m_shape.keyLength, m_shape.valueLength } }
        };
        if (!e.cache.allocate(geometry, m_type, kContext)) {
            return std::numeric_limits<double>::infinity();
        }
        const auto filled = m_shape.position + m_shape.rows;
        for (std::uint32_t head = 0; head < m_shape.kvHeads; ++head) {
            m_keys.push_back(randomFloats(filled * m_shape.keyLength, 10 + head));
            m_values.push_back(randomFloats(filled * m_shape.valueLength, 20 + head));
            fill(m_type, e.cache.keys<float>(kLayer, head),
                 e.cache.keys<std::uint16_t>(kLayer, head), m_keys.back(),
                 std::size_t(kContext) * m_shape.keyLength);
            fill(m_type, e.cache.values<float>(kLayer, head),
                 e.cache.values<std::uint16_t>(kLayer, head), m_values.back(),
                 std::size_t(kContext) * m_shape.valueLength);
        }
        const auto query = m_bench.slot(kHeads * m_shape.keyLength, m_query);
        const auto out = m_bench.slot(kHeads * m_shape.valueLength);
        run(e, model::op::Attention { kLayer, query, out, kHeads, scale() });

        double largest = 0.0;
        for (std::size_t row = 0; row < m_shape.rows; ++row) {
            for (std::uint32_t head = 0; head < kHeads; ++head) {
                const auto expected = reference(row, head);
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const auto at = (row * kHeads + head) * m_shape.valueLength + i;
                    const double error = std::fabs(m_bench.values(out)[at] - expected[i]);
                    largest = error <= largest ? largest : error; // keeps NaN
                }
            }
        }
        return largest;
    }

private:
    [[nodiscard]] float scale() const { return 1.0F / std::sqrt(float(m_shape.keyLength)); }

    [[nodiscard]] std::vector<double> reference(std::size_t row, std::uint32_t head) const
    {
        const auto kvHead = head * m_shape.kvHeads / kHeads;
        const auto length = m_shape.keyLength;
        std::vector<double> weights;
        double most = -std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j <= m_shape.position + row; ++j) {
            double score = 0.0;
            for (std::size_t d = 0; d < length; ++d) {
                score += double(m_query[(row * kHeads + head) * length + d])
                    * stored(m_type, m_keys[kvHead][j * length + d]);
            }
            weights.push_back(score * scale());
            most = std::max(most, weights.back());
        }
        double sum = 0.0;
        for (auto& weight : weights) {
            weight = std::exp(weight - most);
            sum += weight;
        }
        std::vector<double> out(m_shape.valueLength);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            for (std::size_t d = 0; d < out.size(); ++d) {
                out[d] += weights[j] / sum
                    * stored(m_type, m_values[kvHead][j * m_shape.valueLength + d]);
            }
        }
        return out;
    }

    CacheType m_type;
    Shape m_shape;
    OpBench m_bench;
    std::vector<float> m_query;
    std::vector<std::vector<float>> m_keys; // by head
    std::vector<std::vector<float>> m_values;
};

QString described(const Shape& s, double error)
{
    return QString("%1 kv heads, key length %2, %3 rows at %4, %5 threads: off by %6")
        .arg(s.kvHeads)
        .arg(s.keyLength)
        .arg(s.rows)
        .arg(s.position)
        .arg(s.threads)
        .arg(error);
}

} // namespace

class TestAttention : public QObject
{
    Q_OBJECT

    static void everyShape(CacheType type)
    {
        const auto& table = tests::kernelTable();
        for (const std::uint32_t kvHeads : { 4U, 2U, 1U }) {
            for (const std::uint32_t length : { 16U, 64U, 20U }) {
                for (const std::size_t rows : { 1U, 5U, 6U, 17U, 40U }) {
                    for (const std::uint32_t position : { 0U, 100U }) {
                        for (const int threads : { 1, 3 }) {
                            const Shape shape { kvHeads, length, length, rows, position, threads };
                            const auto error = Case(table, type, shape, 1.0F).largestError();
                            QVERIFY2(error < 5e-6, qPrintable(described(shape, error)));
                        }
                    }
                }
            }
        }
    }

private Q_SLOTS:
    void floatCache_data() { tests::addKernelTables(); }
    void floatCache() { everyShape(CacheType::F32); }

    void halfCache_data() { tests::addKernelTables(); }
    void halfCache() { everyShape(CacheType::F16); }

    void valuesOfAnotherLength_data() { tests::addKernelTables(); }
    void valuesOfAnotherLength()
    {
        for (const auto type : { CacheType::F32, CacheType::F16 }) {
            for (const std::size_t rows : { 2U, 20U }) {
                const Shape shape { 2, 16, 24, rows, 70, 3 };
                const auto error = Case(tests::kernelTable(), type, shape, 1.0F).largestError();
                QVERIFY2(error < 5e-6, qPrintable(described(shape, error)));
            }
        }
    }

    // Scores of some thousands would overflow exp() without the running maximum; the largest one
    // takes nearly all, so that the result stays as exact as the scores.
    void survivesLargeScores_data() { tests::addKernelTables(); }
    void survivesLargeScores()
    {
        for (const std::size_t rows : { 3U, 40U }) {
            const Shape shape { 2, 64, 64, rows, 100, 3 };
            const auto error =
                Case(tests::kernelTable(), CacheType::F32, shape, 1000.0F).largestError();
            QVERIFY2(error < 5e-3, qPrintable(described(shape, error)));
        }
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "tst_attention.moc"
