// Causal attention over the cache. A few rows take each head's keys straight from the cache; many
// rows share blocks of keys that are turned into columns once, with the online softmax of Milakov
// and Gimelshein (arXiv 1805.02867).
#include "engine/backend/cpu/execution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine::backend::cpu {

namespace {

constexpr std::size_t kKeyBlock = 64; // keys turned at once
constexpr std::size_t kQueryTile = 16; // tokens that share a turned block
constexpr std::size_t kManyRows = 6; // from here on turning pays

template <typename T>
float dot(const Kernels& kernels, const T* key, const float* query, std::size_t n)
{
    if constexpr (sizeof(T) == sizeof(float)) {
        return kernels.dotF32(key, query, n);
    } else {
        return kernels.dotF16(key, query, n);
    }
}

template <typename T>
void addRows(const Kernels& kernels, float* out, const float* factors, const T* rows,
             std::size_t count, std::size_t width)
{
    if constexpr (sizeof(T) == sizeof(float)) {
        kernels.addRows(out, factors, rows, count, width);
    } else {
        kernels.addHalfRows(out, factors, rows, count, width);
    }
}

void scale(float* values, std::size_t n, float factor)
{
    for (std::size_t i = 0; i < n; ++i) {
        values[i] *= factor;
    }
}

/// One query head of one row over all its keys.
template <typename T>
void attendHead(Execution& execution, const model::op::Attention& op, std::size_t row,
                std::uint32_t head, int thread)
{
    const auto& geometry = execution.cache.geometry();
    const auto& kernels = execution.kernels;
    const auto kvHead = head / (op.heads / geometry.heads);
    const std::size_t keys = execution.batch.position + row + 1;
    const float* query = execution.slot(op.query) + row * execution.width(op.query)
        + std::size_t(head) * geometry.keyLength;
    float* out = execution.slot(op.out) + row * execution.width(op.out)
        + std::size_t(head) * geometry.valueLength;
    float* scores = execution.threadScratch(thread, execution.contextLength);
    const T* k = execution.cache.keys<T>(op.layer, kvHead);
    for (std::size_t j = 0; j < keys; ++j) {
        scores[j] = op.scale * dot(kernels, k + j * geometry.keyLength, query, geometry.keyLength);
    }
    const float sum = kernels.expSum(scores, keys, kernels.maximum(scores, keys));
    std::fill_n(out, geometry.valueLength, 0.0F);
    addRows(kernels, out, scores, execution.cache.values<T>(op.layer, kvHead), keys,
            geometry.valueLength);
    scale(out, geometry.valueLength, 1.0F / sum);
}

/// The query heads that share one key/value head, for a tile of rows.
template <typename T>
class Tile
{
public:
    Tile(Execution& execution, const model::op::Attention& op, std::uint32_t kvHead,
         std::size_t firstRow, int thread)
        : m_execution(execution)
        , m_op(op)
        , m_geometry(execution.cache.geometry())
        , m_group(op.heads / m_geometry.heads)
        , m_kvHead(kvHead)
        , m_firstRow(firstRow)
        , m_endRow(std::min(firstRow + kQueryTile, execution.rows))
    {
        const auto queries = kQueryTile * m_group;
        const auto keyColumns = kKeyBlock * m_geometry.keyLength;
        const auto valueRows = kKeyBlock * m_geometry.valueLength;
        float* memory = execution.threadScratch(thread,
                                                keyColumns + valueRows + 2 * queries + kKeyBlock
                                                    + 2 * std::size_t(m_geometry.keyLength));
        m_columns = memory;
        m_values = m_columns + keyColumns;
        m_maxima = m_values + valueRows;
        m_sums = m_maxima + queries;
        m_scores = m_sums + queries;
        m_key = m_scores + kKeyBlock;
        m_query = m_key + m_geometry.keyLength;
        std::fill_n(m_maxima, queries, -std::numeric_limits<float>::infinity());
        std::fill_n(m_sums, queries, 0.0F);
    }

    void run()
    {
        forQueries([&](std::size_t, std::size_t row, std::size_t head) {
            std::fill_n(out(row, head), m_geometry.valueLength, 0.0F);
        });
        const std::size_t keys = m_execution.batch.position + m_endRow;
        for (std::size_t first = 0; first < keys; first += kKeyBlock) {
            const auto count = std::min(kKeyBlock, keys - first);
            turnKeys(first, count);
            widenValues(first, count);
            forQueries([&](std::size_t query, std::size_t row, std::size_t head) {
                const std::size_t seen = m_execution.batch.position + row + 1;
                if (seen > first) {
                    attendBlock(query, row, head, std::min(count, seen - first));
                }
            });
        }
        forQueries([&](std::size_t query, std::size_t row, std::size_t head) {
            scale(out(row, head), m_geometry.valueLength, 1.0F / m_sums[query]);
        });
    }

private:
    template <typename F>
    void forQueries(F&& f)
    {
        std::size_t query = 0;
        for (auto row = m_firstRow; row < m_endRow; ++row) {
            for (std::size_t g = 0; g < m_group; ++g) {
                f(query++, row, m_kvHead * m_group + g);
            }
        }
    }

    float* out(std::size_t row, std::size_t head)
    {
        return m_execution.slot(m_op.out) + row * m_execution.width(m_op.out)
            + head * m_geometry.valueLength;
    }

    /// Keys of a block as columns: [keyLength][kKeyBlock]. Columns past `count` keep old numbers,
    /// which nobody reads.
    void turnKeys(std::size_t first, std::size_t count)
    {
        const auto length = m_geometry.keyLength;
        const T* keys = m_execution.cache.keys<T>(m_op.layer, m_kvHead) + first * length;
        for (std::size_t j = 0; j < count; ++j) {
            const float* key = m_key;
            if constexpr (sizeof(T) == sizeof(float)) {
                key = keys + j * length;
            } else {
                m_execution.kernels.halfToFloat(keys + j * length, m_key, length);
            }
            for (std::size_t d = 0; d < length; ++d) {
                m_columns[d * kKeyBlock + j] = key[d];
            }
        }
    }

    void widenValues(std::size_t first, std::size_t count)
    {
        const auto length = m_geometry.valueLength;
        const T* values = m_execution.cache.values<T>(m_op.layer, m_kvHead) + first * length;
        if constexpr (sizeof(T) == sizeof(float)) {
            std::copy_n(values, count * length, m_values);
        } else {
            m_execution.kernels.halfToFloat(values, m_values, count * length);
        }
    }

    void attendBlock(std::size_t query, std::size_t row, std::size_t head, std::size_t count)
    {
        const auto& kernels = m_execution.kernels;
        const float* q = m_execution.slot(m_op.query) + row * m_execution.width(m_op.query)
            + head * m_geometry.keyLength;
        std::transform(q, q + m_geometry.keyLength, m_query,
                       [&](float x) { return x * m_op.scale; });
        std::fill_n(m_scores, kKeyBlock, 0.0F);
        kernels.addRows(m_scores, m_query, m_columns, m_geometry.keyLength, kKeyBlock);
        const float most = std::max(m_maxima[query], kernels.maximum(m_scores, count));
        const float correction = std::exp(m_maxima[query] - most);
        m_maxima[query] = most;
        m_sums[query] = m_sums[query] * correction + kernels.expSum(m_scores, count, most);
        float* o = out(row, head);
        if (correction != 1.0F) {
            scale(o, m_geometry.valueLength, correction);
        }
        kernels.addRows(o, m_scores, m_values, count, m_geometry.valueLength);
    }

    Execution& m_execution;
    const model::op::Attention& m_op;
    const model::KvGeometry& m_geometry;
    std::size_t m_group;
    std::size_t m_kvHead;
    std::size_t m_firstRow;
    std::size_t m_endRow;
    float* m_columns; // keys of a block, turned
    float* m_values; // values of a block as floats
    float* m_maxima; // largest score so far, by query
    float* m_sums; // sum of exp(score - maximum) so far
    float* m_scores;
    float* m_key;
    float* m_query;
};

template <typename T>
void attend(Execution& execution, const model::op::Attention& op)
{
    (void)execution.slot(op.out); // grow before the threads start
    if (execution.rows < kManyRows) {
        const auto tasks = static_cast<std::int64_t>(execution.rows * op.heads);
        execution.pool.run(tasks, 1, [&](std::int64_t begin, std::int64_t, int thread) {
            const auto task = static_cast<std::size_t>(begin);
            attendHead<T>(execution, op, task / op.heads,
                          static_cast<std::uint32_t>(task % op.heads), thread);
        });
        return;
    }
    const auto heads = execution.cache.geometry().heads;
    const auto tiles = (execution.rows + kQueryTile - 1) / kQueryTile;
    execution.pool.run(static_cast<std::int64_t>(tiles * heads), 1,
                       [&](std::int64_t begin, std::int64_t, int thread) {
                           if (!execution.stop.stop_requested()) {
                               // the last tiles see most keys: take them first
                               const auto task =
                                   tiles * heads - 1 - static_cast<std::size_t>(begin);
                               Tile<T>(execution, op, static_cast<std::uint32_t>(task % heads),
                                       task / heads * kQueryTile, thread)
                                   .run();
                           }
                       });
}

} // namespace

void run(Execution& execution, const model::op::Attention& op)
{
    if (execution.cache.type() == CacheType::F32) {
        attend<float>(execution, op);
    } else {
        attend<std::uint16_t>(execution, op);
    }
}

} // namespace engine::backend::cpu
