// Few tokens: one dot product a row, as fast as memory delivers the weights. Many tokens: panels of
// rows are unpacked once into the cache of a core and multiplied with all tokens. Weights are read
// where they are mapped.
#include "engine/backend/cpu/product.h"

#include "engine/quant/codec.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

using gguf::TensorType;

constexpr std::size_t kManyTokens = 6; // from here on packing a panel pays
constexpr std::size_t kQuantDepth =
    2048; // weights of a row in a panel: panel and activations stay in the core's cache
constexpr std::size_t kFloatDepth = 512;
constexpr std::size_t kMostPanelRows = 16;

const QuantKernels* quantKernels(const Execution& execution, const model::Matrix& matrix)
{
    return execution.activations == ActivationMode::Q8 ? execution.kernels.quant(matrix.type)
                                                       : nullptr;
}

/// One product, for ranges of its matrix's rows.
class Worker
{
public:
    Worker(Execution& execution, const Product& product, int thread)
        : m_execution(execution)
        , m_product(product)
        , m_matrix(product.matrix)
        , m_thread(thread)
        , m_quant(quantKernels(execution, m_matrix))
        , m_blockSize(gguf::tensorTypeInfo(m_matrix.type).blockSize)
    {
        const bool panels = !m_quant || m_quant->pack;
        m_panels = panels && product.count >= kManyTokens;
    }

    /// Rows [begin, end), begin a multiple of the panel's rows.
    void compute(std::size_t begin, std::size_t end)
    {
        const auto step = m_panels ? m_execution.kernels.panelRows : end - begin;
        for (auto row = begin; row < end && !m_execution.stop.stop_requested(); row += step) {
            const auto count = std::min(step, end - row);
            if (!m_panels) {
                dotRows(row, count);
            } else if (m_quant) {
                quantPanel(row, count);
            } else {
                floatPanel(row, count);
            }
            addBias(row, count);
        }
    }

private:
    void dotRows(std::size_t first, std::size_t count)
    {
        for (std::size_t r = first; r < first + count; ++r) {
            const std::byte* weights = m_matrix.row(r);
            const float* decoded = m_quant ? nullptr : decodedRow(weights);
            for (std::size_t t = 0; t < m_product.count; ++t) {
                m_product.out.at(t)[r] = m_quant
                    ? m_quant->dot(weights, m_product.quantized[t], m_matrix.columns / kUnit)
                    : floatDot(weights, decoded, m_product.in.at(t));
            }
        }
    }

    [[nodiscard]] bool hasFloatDot() const
    {
        return m_matrix.type == TensorType::F32 || m_matrix.type == TensorType::F16
            || m_matrix.type == TensorType::BF16;
    }

    /// The row as floats for types without a dot product of their own; else null.
    const float* decodedRow(const std::byte* weights)
    {
        if (hasFloatDot()) {
            return nullptr;
        }
        float* decoded = m_execution.threadScratch(m_thread, m_matrix.columns);
        quant::codec(m_matrix.type)->decode(weights, decoded, m_matrix.columns / m_blockSize);
        return decoded;
    }

    float floatDot(const std::byte* weights, const float* decoded, const float* in)
    {
        const auto& kernels = m_execution.kernels;
        switch (m_matrix.type) {
        case TensorType::F32:
            return kernels.dotF32(reinterpret_cast<const float*>(weights), in, m_matrix.columns);
        case TensorType::F16:
            return kernels.dotF16(reinterpret_cast<const std::uint16_t*>(weights), in,
                                  m_matrix.columns);
        case TensorType::BF16:
            return kernels.dotBf16(reinterpret_cast<const std::uint16_t*>(weights), in,
                                   m_matrix.columns);
        default:
            return kernels.dotF32(decoded, in, m_matrix.columns);
        }
    }

    /// Where a panel's products go: the output itself, or (for the last, narrower panel, and where
    /// rows of output do not follow each other) a copy at `spare`.
    struct Place
    {
        float* out;
        std::size_t stride;
        bool isCopy;
    };
    Place place(std::size_t first, std::size_t count, float* spare)
    {
        if (count == m_execution.kernels.panelRows && !m_product.out.index) {
            return { m_product.out.base + first, m_product.out.stride, false };
        }
        return { spare, m_execution.kernels.panelRows, true };
    }
    void copyBack(const Place& from, std::size_t first, std::size_t count)
    {
        for (std::size_t t = 0; from.isCopy && t < m_product.count; ++t) {
            std::copy_n(from.out + t * from.stride, count, m_product.out.at(t) + first);
        }
    }

    void quantPanel(std::size_t first, std::size_t count)
    {
        const auto& kernels = m_execution.kernels;
        const auto rows = kernels.panelRows;
        const auto units = m_matrix.columns / kUnit;
        const auto depth = std::min(units, kQuantDepth / kUnit);
        const auto groups = depth * 2 * rows; // room for types with two groups a unit
        float* memory = m_execution.threadScratch(m_thread,
                                                  depth * kUnit * rows / sizeof(float) + 2 * groups
                                                      + m_product.count * rows + kMostPanelRows);
        Panel panel { reinterpret_cast<std::uint8_t*>(memory), nullptr, nullptr, 0 };
        panel.scales = memory + depth * kUnit * rows / sizeof(float);
        panel.mins = panel.scales + groups;
        const auto target = place(first, count, panel.mins + groups);
        const std::byte* pointers[kMostPanelRows];
        for (std::size_t r = 0; r < count; ++r) {
            pointers[r] = m_matrix.row(first + r);
        }
        for (std::size_t u = 0; u < units; u += depth) {
            panel.units = std::min(depth, units - u);
            m_quant->pack(pointers, count, u, panel);
            multiplyQuant(panel, u, target);
        }
        copyBack(target, first, count);
    }

    void multiplyQuant(const Panel& panel, std::size_t firstUnit, const Place& target)
    {
        const std::span rows(m_product.quantized, m_product.count);
        if (firstUnit == 0) {
            m_quant->multiply(panel, rows.data(), rows.size(), target.out, target.stride, false);
            return;
        }
        constexpr std::size_t tile = 64;
        Q8Row shifted[tile];
        for (std::size_t t = 0; t < rows.size(); t += tile) {
            const auto count = std::min(tile, rows.size() - t);
            for (std::size_t i = 0; i < count; ++i) {
                const auto& row = rows[t + i];
                shifted[i] = { row.quants + firstUnit * kUnit, row.scales + 2 * firstUnit,
                               row.sums + 2 * firstUnit };
            }
            m_quant->multiply(panel, shifted, count, target.out + t * target.stride, target.stride,
                              true);
        }
    }

    void floatPanel(std::size_t first, std::size_t count)
    {
        const auto& kernels = m_execution.kernels;
        const auto rows = kernels.panelRows;
        const auto columns = m_matrix.columns;
        // whole blocks of the widest super-block
        const auto depth = std::min<std::size_t>(columns, kFloatDepth);
        const auto gathered = m_product.in.index ? m_product.count * depth : 0;
        float* panel = m_execution.threadScratch(
            m_thread, depth * rows + depth + m_product.count * rows + gathered);
        float* decoded = panel + depth * rows;
        float* spare = decoded + depth;
        const auto target = place(first, count, spare);
        for (std::size_t k = 0; k < columns; k += depth) {
            const auto length = std::min(depth, columns - k);
            std::fill_n(panel, depth * rows, 0.0F);
            for (std::size_t r = 0; r < count; ++r) {
                decodePart(m_matrix.row(first + r), k, length, decoded);
                for (std::size_t i = 0; i < length; ++i) {
                    panel[i * rows + r] = decoded[i];
                }
            }
            const auto in = inputPart(k, length, spare + m_product.count * rows);
            kernels.multiplyFloat(panel, length, in.base, in.stride, m_product.count, target.out,
                                  target.stride, k > 0);
        }
        copyBack(target, first, count);
    }

    /// Columns of the input, at equal distances: copied where they are not.
    RowSet<const float> inputPart(std::size_t first, std::size_t length, float* copy)
    {
        if (!m_product.in.index) {
            return { m_product.in.base + first, m_product.in.stride };
        }
        for (std::size_t t = 0; t < m_product.count; ++t) {
            std::copy_n(m_product.in.at(t) + first, length, copy + t * length);
        }
        return { copy, length };
    }

    void decodePart(const std::byte* row, std::size_t first, std::size_t length, float* out)
    {
        const auto& info = gguf::tensorTypeInfo(m_matrix.type);
        const std::byte* from = row + first / m_blockSize * info.typeSize;
        if (m_matrix.type == TensorType::F16) {
            m_execution.kernels.halfToFloat(reinterpret_cast<const std::uint16_t*>(from), out,
                                            length);
        } else {
            quant::codec(m_matrix.type)->decode(from, out, length / m_blockSize);
        }
    }

    void addBias(std::size_t first, std::size_t count)
    {
        for (std::size_t t = 0; m_product.bias && t < m_product.count; ++t) {
            m_execution.kernels.add(m_product.out.at(t) + first, m_product.bias + first, count);
        }
    }

    Execution& m_execution;
    const Product& m_product;
    const model::Matrix& m_matrix;
    int m_thread;
    const QuantKernels* m_quant;
    std::size_t m_blockSize;
    bool m_panels = false;
};

/// Rows in one piece of work: a few pieces for each thread, whole panels, not so few that the
/// hand-out costs.
std::size_t pieceRows(std::size_t allRows, int threads, std::size_t panelRows)
{
    constexpr std::size_t piecesPerThread = 8;
    const auto wanted = allRows / (static_cast<std::size_t>(threads) * piecesPerThread);
    return std::clamp<std::size_t>(wanted / panelRows, 1, 16) * panelRows;
}

} // namespace

bool wantsQ8(const Execution& execution, const model::Matrix& matrix)
{
    return quantKernels(execution, matrix);
}

const Q8Row* quantizeRows(Execution& execution, std::size_t count, std::size_t width,
                          const std::function<const float*(std::size_t)>& row)
{
    constexpr std::size_t fewNumbers = 16384; // waking the workers costs more than these
    auto& q = execution.quantized;
    const auto groups = width / kQ8Group;
    q.quants.resize(std::max(q.quants.size(), count * width));
    q.scales.resize(std::max(q.scales.size(), count * groups));
    q.sums.resize(std::max(q.sums.size(), count * groups));
    q.rows.resize(count);
    const auto grain = count * width <= fewNumbers ? count : 8;
    execution.pool.run(static_cast<std::int64_t>(count), static_cast<std::int64_t>(grain),
                       [&](std::int64_t begin, std::int64_t end, int) {
                           for (auto i = static_cast<std::size_t>(begin);
                                i < static_cast<std::size_t>(end); ++i) {
                               auto* quants = q.quants.data() + i * width;
                               auto* scales = q.scales.data() + i * groups;
                               auto* sums = q.sums.data() + i * groups;
                               execution.kernels.quantize(row(i), width, quants, scales, sums);
                               q.rows[i] = { quants, scales, sums };
                           }
                       });
    return q.rows.data();
}

void multiplyAll(Execution& execution, std::span<const Product> products)
{
    std::size_t allRows = 0;
    for (const auto& product : products) {
        allRows += product.matrix.rows;
    }
    const auto piece = pieceRows(allRows, execution.pool.threads(), execution.kernels.panelRows);
    std::vector<std::size_t> firstPieces { 0 }; // by product; one more at the end
    for (const auto& product : products) {
        firstPieces.push_back(firstPieces.back() + (product.matrix.rows + piece - 1) / piece);
    }
    execution.pool.run(
        static_cast<std::int64_t>(firstPieces.back()), 1,
        [&](std::int64_t begin, std::int64_t, int thread) {
            const auto index = static_cast<std::size_t>(begin);
            const auto next = std::upper_bound(firstPieces.begin(), firstPieces.end(), index);
            const auto p = static_cast<std::size_t>(next - firstPieces.begin()) - 1;
            const auto row = (index - firstPieces[p]) * piece;
            Worker(execution, products[p], thread)
                .compute(row, std::min<std::size_t>(row + piece, products[p].matrix.rows));
        });
}

} // namespace engine::backend::cpu
