// Causal attention over the cache. A few rows take each head's keys straight from the cache; many
// rows share blocks of keys that are turned into columns once, with the online softmax of Milakov
// and Gimelshein (arXiv 1805.02867).
#include "engine/backend/cpu/execution.h"
#include "engine/backend/cpu/score_rule.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine::backend::cpu {

namespace {

constexpr std::size_t kKeyBlock = 64; // keys turned at once
constexpr std::size_t kQueryTile = 16; // tokens that share a turned block
constexpr std::size_t kManyRows = 6; // from here on turning pays
constexpr std::size_t kMostTileHeads = 8; // heads of a group that one tile takes

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
    const auto& layer = execution.cache.layer(op.layer);
    const auto& kernels = execution.kernels;
    const auto kvHead = head / (op.heads / layer.heads);
    const std::size_t position = execution.batch.position + row;
    const auto first = ScoreRule::firstKey(op, position);
    const auto keys = position + 1 - first;
    const float* query = execution.slot(op.query) + row * execution.width(op.query)
        + std::size_t(head) * layer.keyLength;
    float* out = execution.slot(op.out) + row * execution.width(op.out)
        + std::size_t(head) * layer.valueLength;
    float* scores = execution.threadScratch(thread, execution.contextLength);
    const T* k = execution.cache.keys<T>(op.layer, kvHead) + first * layer.keyLength;
    for (std::size_t j = 0; j < keys; ++j) {
        scores[j] = op.scale * dot(kernels, k + j * layer.keyLength, query, layer.keyLength);
    }
    const ScoreRule rule(op, head);
    rule.apply(kernels, scores, keys, first, position);
    const float most = std::max(rule.sink(), kernels.maximum(scores, keys));
    const float sum = kernels.expSum(scores, keys, most) + std::exp(rule.sink() - most);
    std::fill_n(out, layer.valueLength, 0.0F);
    addRows(kernels, out, scores,
            execution.cache.values<T>(op.layer, kvHead) + first * layer.valueLength, keys,
            layer.valueLength);
    scale(out, layer.valueLength, 1.0F / sum);
}

/// Query heads that share one key/value head, for a tile of rows.
template <typename T>
class Tile
{
public:
    Tile(Execution& execution, const model::op::Attention& op, std::size_t firstHead,
         std::size_t heads, std::size_t firstRow, int thread)
        : m_execution(execution)
        , m_op(op)
        , m_layer(execution.cache.layer(op.layer))
        , m_firstHead(firstHead)
        , m_heads(heads)
        , m_kvHead(static_cast<std::uint32_t>(firstHead / (op.heads / m_layer.heads)))
        , m_firstRow(firstRow)
        , m_endRow(std::min(firstRow + kQueryTile, execution.rows))
    {
        const auto queries = kQueryTile * m_heads;
        const auto keyColumns = kKeyBlock * m_layer.keyLength;
        const auto valueRows = kKeyBlock * m_layer.valueLength;
        float* memory = execution.threadScratch(thread,
                                                keyColumns + valueRows + 2 * queries + kKeyBlock
                                                    + 2 * std::size_t(m_layer.keyLength));
        m_columns = memory;
        m_values = m_columns + keyColumns;
        m_maxima = m_values + valueRows;
        m_sums = m_maxima + queries;
        m_scores = m_sums + queries;
        m_key = m_scores + kKeyBlock;
        m_query = m_key + m_layer.keyLength;
        for (std::size_t h = 0; h < m_heads; ++h) {
            m_rules.emplace_back(op, firstHead + h);
        }
    }

    void run()
    {
        forQueries([&](std::size_t query, std::size_t row, std::size_t h) {
            std::fill_n(out(row, h), m_layer.valueLength, 0.0F);
            // a sink is a key that was seen before all others
            m_maxima[query] = m_rules[h].sink();
            m_sums[query] = m_op.sinks ? 1.0F : 0.0F;
        });
        const std::size_t keys = m_execution.batch.position + m_endRow;
        for (std::size_t first = firstKey(m_firstRow); first < keys; first += kKeyBlock) {
            if (m_execution.stop.stop_requested()) {
                return;
            }
            const auto count = std::min(kKeyBlock, keys - first);
            turnKeys(first, count);
            widenValues(first, count);
            forQueries([&](std::size_t query, std::size_t row, std::size_t h) {
                const auto begin = std::max(first, firstKey(row));
                const auto end = std::min(first + count, m_execution.batch.position + row + 1);
                if (begin < end) {
                    attendBlock(query, row, h, first, { begin - first, end - first });
                }
            });
        }
        forQueries([&](std::size_t query, std::size_t row, std::size_t h) {
            scale(out(row, h), m_layer.valueLength, 1.0F / m_sums[query]);
        });
    }

private:
    /// Keys of a block that a query sees.
    struct Seen
    {
        std::size_t begin;
        std::size_t end;
    };

    /// Calls f(query of the tile, row, head of the tile).
    template <typename F>
    void forQueries(F&& f)
    {
        std::size_t query = 0;
        for (auto row = m_firstRow; row < m_endRow; ++row) {
            for (std::size_t h = 0; h < m_heads; ++h) {
                f(query++, row, h);
            }
        }
    }

    [[nodiscard]] std::size_t firstKey(std::size_t row) const
    {
        return ScoreRule::firstKey(m_op, m_execution.batch.position + row);
    }

    float* out(std::size_t row, std::size_t h)
    {
        return m_execution.slot(m_op.out) + row * m_execution.width(m_op.out)
            + (m_firstHead + h) * m_layer.valueLength;
    }

    /// Keys of a block as columns: [keyLength][kKeyBlock]. Columns past `count` keep old numbers,
    /// which nobody reads.
    void turnKeys(std::size_t first, std::size_t count)
    {
        const auto length = m_layer.keyLength;
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
        const auto length = m_layer.valueLength;
        const T* values = m_execution.cache.values<T>(m_op.layer, m_kvHead) + first * length;
        if constexpr (sizeof(T) == sizeof(float)) {
            std::copy_n(values, count * length, m_values);
        } else {
            m_execution.kernels.halfToFloat(values, m_values, count * length);
        }
    }

    void attendBlock(std::size_t query, std::size_t row, std::size_t h, std::size_t firstKey,
                     Seen seen)
    {
        const auto& kernels = m_execution.kernels;
        const float* q = m_execution.slot(m_op.query) + row * m_execution.width(m_op.query)
            + (m_firstHead + h) * m_layer.keyLength;
        std::transform(q, q + m_layer.keyLength, m_query, [&](float x) { return x * m_op.scale; });
        std::fill_n(m_scores, kKeyBlock, 0.0F);
        kernels.addRows(m_scores, m_query, m_columns, m_layer.keyLength, kKeyBlock);
        float* scores = m_scores + seen.begin;
        const auto count = seen.end - seen.begin;
        m_rules[h].apply(kernels, scores, count, firstKey + seen.begin,
                         m_execution.batch.position + row);
        const float most = std::max(m_maxima[query], kernels.maximum(scores, count));
        const float correction = std::exp(m_maxima[query] - most);
        m_maxima[query] = most;
        m_sums[query] = m_sums[query] * correction + kernels.expSum(scores, count, most);
        float* o = out(row, h);
        if (correction != 1.0F) {
            scale(o, m_layer.valueLength, correction);
        }
        kernels.addRows(o, scores, m_values + seen.begin * m_layer.valueLength, count,
                        m_layer.valueLength);
    }

    Execution& m_execution;
    const model::op::Attention& m_op;
    const model::KvLayer& m_layer;
    std::size_t m_firstHead;
    std::size_t m_heads;
    std::uint32_t m_kvHead;
    std::size_t m_firstRow;
    std::size_t m_endRow;
    std::vector<ScoreRule> m_rules; // by head of the tile
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
            if (!execution.stop.stop_requested()) {
                const auto task = static_cast<std::size_t>(begin);
                attendHead<T>(execution, op, task / op.heads,
                              static_cast<std::uint32_t>(task % op.heads), thread);
            }
        });
        return;
    }
    const std::size_t group = op.heads / execution.cache.layer(op.layer).heads;
    const auto parts = (group + kMostTileHeads - 1) / kMostTileHeads; // of a group
    const auto columns = op.heads / group * parts;
    const auto tiles = (execution.rows + kQueryTile - 1) / kQueryTile;
    execution.pool.run(static_cast<std::int64_t>(tiles * columns), 1,
                       [&](std::int64_t begin, std::int64_t, int thread) {
                           if (execution.stop.stop_requested()) {
                               return;
                           }
                           // the last tiles see most keys: take them first
                           const auto task = tiles * columns - 1 - static_cast<std::size_t>(begin);
                           const auto part = task % columns % parts;
                           const auto inGroup = part * kMostTileHeads;
                           Tile<T>(execution, op, task % columns / parts * group + inGroup,
                                   std::min(kMostTileHeads, group - inGroup),
                                   task / columns * kQueryTile, thread)
                               .run();
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
