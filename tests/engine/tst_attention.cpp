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
    std::uint32_t heads = kHeads;
};

/// What models add to plain attention.
struct Extras
{
    std::uint32_t window = 0;
    float softCap = 0.0F;
    float alibi = 0.0F;
    std::vector<float> sinks; ///< empty: none
    std::uint32_t chunk = 0;
};

/// Slopes as the paper lists them: for 8 heads 1/2, 1/4, …; for others those of the next smaller
/// power of two, then every second one of the next larger.
std::vector<double> slopes(std::uint32_t heads, double largestBias)
{
    const auto geometric = [&](std::uint32_t n) {
        std::vector<double> row;
        for (std::uint32_t i = 1; i <= n; ++i) {
            row.push_back(std::pow(2.0, -largestBias * i / n));
        }
        return row;
    };
    std::uint32_t power = 1;
    while (2 * power <= heads) {
        power *= 2;
    }
    auto all = geometric(power);
    const auto finer = geometric(2 * power);
    for (std::uint32_t i = 0; all.size() < heads; i += 2) {
        all.push_back(finer[i]);
    }
    return all;
}

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

/// Runs the op on random numbers and gives the largest distance to its contract in double.
class Case
{
public:
    Case(const Kernels& table, CacheType type, const Shape& shape, float spread,
         const Extras& extras = {})
        : m_type(type)
        , m_shape(shape)
        , m_extras(extras)
        , m_sinks(extras.sinks)
        , m_slopes(slopes(shape.heads, extras.alibi))
        , m_bench(table, shape.threads, shape.rows, shape.position)
        , m_query(randomFloats(shape.rows * shape.heads * shape.keyLength, 1, spread))
    {
    }

    void stopWith(std::stop_token stop) { m_bench.execution.stop = std::move(stop); }

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
        const auto query = m_bench.slot(m_shape.heads * m_shape.keyLength, m_query);
        const auto out = m_bench.slot(m_shape.heads * m_shape.valueLength);
        run(e,
            model::op::Attention { .layer = kLayer,
                                   .query = query,
                                   .out = out,
                                   .heads = m_shape.heads,
                                   .scale = scale(),
                                   .window = m_extras.window,
                                   .softCap = m_extras.softCap,
                                   .alibi = m_extras.alibi,
                                   .sinks = m_sinks ? &m_sinks : nullptr,
                                   .chunk = m_extras.chunk });

        double largest = 0.0;
        for (std::size_t row = 0; row < m_shape.rows; ++row) {
            for (std::uint32_t head = 0; head < m_shape.heads; ++head) {
                const auto expected = reference(row, head);
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const auto at = (row * m_shape.heads + head) * m_shape.valueLength + i;
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
        const auto kvHead = head * m_shape.kvHeads / m_shape.heads;
        const auto length = m_shape.keyLength;
        const std::size_t position = m_shape.position + row;
        std::vector<double> weights;
        double most = m_sinks ? m_extras.sinks[head] : -std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j <= position; ++j) {
            double score = 0.0;
            for (std::size_t d = 0; d < length; ++d) {
                score += double(m_query[(row * m_shape.heads + head) * length + d])
                    * stored(m_type, m_keys[kvHead][j * length + d]);
            }
            score *= scale();
            if (m_extras.softCap > 0.0F) {
                score = m_extras.softCap * std::tanh(score / m_extras.softCap);
            }
            if (m_extras.alibi > 0.0F) {
                score -= m_slopes[head] * double(position - j);
            }
            const bool near = m_extras.window == 0 || position - j < m_extras.window;
            const bool together =
                m_extras.chunk == 0 || position / m_extras.chunk == j / m_extras.chunk;
            weights.push_back(near && together ? score : -std::numeric_limits<double>::infinity());
            most = std::max(most, weights.back());
        }
        double sum = m_sinks ? std::exp(m_extras.sinks[head] - most) : 0.0;
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
    Extras m_extras;
    model::Vector m_sinks;
    std::vector<double> m_slopes; // by head
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

    static void everyExtra(const Extras& extras, std::uint32_t heads = kHeads)
    {
        for (const auto type : { CacheType::F32, CacheType::F16 }) {
            for (const std::uint32_t kvHeads : { heads, 1U }) {
                for (const std::size_t rows : { 2U, 40U }) {
                    for (const std::uint32_t position : { 0U, 100U }) {
                        const Shape shape { kvHeads, 32, 32, rows, position, 3, heads };
                        const auto error =
                            Case(tests::kernelTable(), type, shape, 1.0F, extras).largestError();
                        QVERIFY2(error < 5e-6, qPrintable(described(shape, error)));
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

    void windows_data() { tests::addKernelTables(); }
    void windows()
    {
        // within a block of keys, over its border, over several, and longer than all
        for (const std::uint32_t window : { 1U, 10U, 64U, 90U, 1000U }) {
            everyExtra({ window, 0.0F, 0.0F, {} });
        }
    }

    void chunks_data() { tests::addKernelTables(); }
    void chunks()
    {
        for (const std::uint32_t chunk : { 1U, 10U, 64U, 130U, 1000U }) {
            everyExtra({ 0, 0.0F, 0.0F, {}, chunk });
        }
    }

    void softCaps_data() { tests::addKernelTables(); }
    void softCaps() { everyExtra({ 0, 2.0F, 0.0F, {} }); }

    void alibi_data() { tests::addKernelTables(); }
    void alibi()
    {
        QCOMPARE(slopes(8, 8.0)[7], 1.0 / 256.0);
        for (const std::uint32_t heads : { 2U, 3U, 4U, 12U }) {
            everyExtra({ 0, 0.0F, 8.0F, {} }, heads);
        }
        everyExtra({ 0, 0.0F, 4.0F, {} });
    }

    void sinks_data() { tests::addKernelTables(); }
    void sinks()
    {
        everyExtra({ 0, 0.0F, 0.0F, { 0.5F, -3.0F, 100.0F, 2.0F } });
        everyExtra({ 20, 0.0F, 0.0F, { 0.5F, -3.0F, -100.0F, 2.0F } });
    }

    void combined_data() { tests::addKernelTables(); }
    void combined() { everyExtra({ 70, 3.0F, 8.0F, { 0.5F, -3.0F, 1.0F, 2.0F } }); }

    // Latent attention: one key head serves more query heads than a tile takes.
    void manyHeadsShareAKey_data() { tests::addKernelTables(); }
    void manyHeadsShareAKey()
    {
        for (const std::uint32_t heads : { 8U, 19U, 32U }) {
            for (const std::size_t rows : { 1U, 20U }) {
                const Shape shape { 1, 40, 24, rows, 90, 3, heads };
                const auto error =
                    Case(tests::kernelTable(), CacheType::F16, shape, 1.0F).largestError();
                QVERIFY2(error < 5e-6, qPrintable(described(shape, error)));
            }
        }
    }

    void stopRequestedBefore()
    {
        for (const std::size_t rows : { 1U, 20U }) {
            const Shape shape { 2, 16, 16, rows, 70, 2 };
            std::stop_source source;
            source.request_stop();
            Case stopped(kernels(), CacheType::F32, shape, 1.0F);
            stopped.stopWith(source.get_token());
            QVERIFY(stopped.largestError() > 0.01); // nothing was computed
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
