// Matrix products. Few tokens: one dot product a row, as fast as memory delivers the weights. Many
// tokens: panels of rows are unpacked once into the cache of a core and multiplied with all tokens.
// Weights are read where they are mapped.
#include "engine/backend/cpu/execution.h"
#include "engine/quant/codec.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

using Target = model::op::Linear::Target;
using gguf::TensorType;

constexpr std::size_t kManyTokens = 6; // from here on packing a panel pays
constexpr std::size_t kQuantDepth =
    2048; // weights of a row in a panel: panel and activations stay in the core's cache
constexpr std::size_t kFloatDepth = 512;
constexpr std::size_t kMostPanelRows = 16;

/// Rounds all rows of the input once for all targets.
void quantizeInput(Execution& execution, const float* in, std::size_t width)
{
    auto& q = execution.quantized;
    const auto groups = width / kQ8Group;
    q.quants.resize(std::max(q.quants.size(), execution.rows * width));
    q.scales.resize(std::max(q.scales.size(), execution.rows * groups));
    q.sums.resize(std::max(q.sums.size(), execution.rows * groups));
    q.rows.resize(execution.rows);
    execution.forRows([&](std::size_t row) {
        auto* quants = q.quants.data() + row * width;
        auto* scales = q.scales.data() + row * groups;
        auto* sums = q.sums.data() + row * groups;
        execution.kernels.quantize(in + row * width, width, quants, scales, sums);
        q.rows[row] = { quants, scales, sums };
    });
}

/// The products of one target with the prepared input, for ranges of its rows.
class Product
{
public:
    Product(Execution& execution, const Target& target, const float* in)
        : m_execution(execution)
        , m_matrix(*target.matrix)
        , m_bias(target.bias ? target.bias->values().data() : nullptr)
        , m_in(in)
        , m_out(execution.slot(target.out))
        , m_quant(execution.activations == ActivationMode::Q8
                      ? execution.kernels.quant(m_matrix.type)
                      : nullptr)
        , m_blockSize(gguf::tensorTypeInfo(m_matrix.type).blockSize)
    {
        const bool panels = !m_quant || m_quant->pack;
        m_panels = panels && execution.rows >= kManyTokens;
    }

    [[nodiscard]] bool quantized() const { return m_quant; }
    [[nodiscard]] std::size_t rows() const { return m_matrix.rows; }

    /// Rows [begin, end), begin a multiple of the panel's rows.
    void compute(std::size_t begin, std::size_t end, int thread)
    {
        const auto step = m_panels ? m_execution.kernels.panelRows : end - begin;
        for (auto row = begin; row < end && !m_execution.stop.stop_requested(); row += step) {
            const auto count = std::min(step, end - row);
            if (!m_panels) {
                dotRows(row, count, thread);
            } else if (m_quant) {
                quantPanel(row, count, thread);
            } else {
                floatPanel(row, count, thread);
            }
            addBias(row, count);
        }
    }

private:
    void dotRows(std::size_t first, std::size_t count, int thread)
    {
        const auto tokens = m_execution.rows;
        for (std::size_t r = first; r < first + count; ++r) {
            const std::byte* weights = m_matrix.row(r);
            const float* decoded = m_quant ? nullptr : decodedRow(weights, thread);
            for (std::size_t t = 0; t < tokens; ++t) {
                m_out[t * m_matrix.rows + r] = m_quant
                    ? m_quant->dot(weights, m_execution.quantized.rows[t], m_matrix.columns / kUnit)
                    : floatDot(weights, decoded, m_in + t * m_matrix.columns);
            }
        }
    }

    [[nodiscard]] bool hasFloatDot() const
    {
        return m_matrix.type == TensorType::F32 || m_matrix.type == TensorType::F16
            || m_matrix.type == TensorType::BF16;
    }

    /// The row as floats for types without a dot product of their own; else null.
    const float* decodedRow(const std::byte* weights, int thread)
    {
        if (hasFloatDot()) {
            return nullptr;
        }
        float* decoded = m_execution.threadScratch(thread, m_matrix.columns);
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

    /// Where a panel's products go: the output itself, or (for the last, narrower panel) a copy at
    /// `spare`.
    struct Place
    {
        float* out;
        std::size_t stride;
    };
    Place place(std::size_t first, std::size_t count, float* spare)
    {
        if (count == m_execution.kernels.panelRows) {
            return { m_out + first, m_matrix.rows };
        }
        return { spare, m_execution.kernels.panelRows };
    }
    void copyBack(const Place& from, std::size_t first, std::size_t count)
    {
        if (from.out == m_out + first) {
            return;
        }
        for (std::size_t t = 0; t < m_execution.rows; ++t) {
            std::copy_n(from.out + t * from.stride, count, m_out + t * m_matrix.rows + first);
        }
    }

    void quantPanel(std::size_t first, std::size_t count, int thread)
    {
        const auto& kernels = m_execution.kernels;
        const auto rows = kernels.panelRows;
        const auto units = m_matrix.columns / kUnit;
        const auto depth = std::min(units, kQuantDepth / kUnit);
        const auto groups = depth * 2 * rows; // room for types with two groups a unit
        float* memory = m_execution.threadScratch(thread,
                                                  depth * kUnit * rows / sizeof(float) + 2 * groups
                                                      + m_execution.rows * rows + kMostPanelRows);
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
        const auto& rows = m_execution.quantized.rows;
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

    void floatPanel(std::size_t first, std::size_t count, int thread)
    {
        const auto& kernels = m_execution.kernels;
        const auto rows = kernels.panelRows;
        const auto columns = m_matrix.columns;
        // whole blocks of the widest super-block
        const auto depth = std::min<std::size_t>(columns, kFloatDepth);
        float* panel =
            m_execution.threadScratch(thread, depth * rows + depth + m_execution.rows * rows);
        float* decoded = panel + depth * rows;
        const auto target = place(first, count, decoded + depth);
        for (std::size_t k = 0; k < columns; k += depth) {
            const auto length = std::min(depth, columns - k);
            std::fill_n(panel, depth * rows, 0.0F);
            for (std::size_t r = 0; r < count; ++r) {
                decodePart(m_matrix.row(first + r), k, length, decoded);
                for (std::size_t i = 0; i < length; ++i) {
                    panel[i * rows + r] = decoded[i];
                }
            }
            kernels.multiplyFloat(panel, length, m_in + k, columns, m_execution.rows, target.out,
                                  target.stride, k > 0);
        }
        copyBack(target, first, count);
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
        if (!m_bias) {
            return;
        }
        for (std::size_t t = 0; t < m_execution.rows; ++t) {
            m_execution.kernels.add(m_out + t * m_matrix.rows + first, m_bias + first, count);
        }
    }

    Execution& m_execution;
    const model::Matrix& m_matrix;
    const float* m_bias;
    const float* m_in;
    float* m_out;
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

void run(Execution& execution, const model::op::Linear& op)
{
    if (execution.rows == 0) {
        return;
    }
    const float* in = execution.slot(op.in);
    std::vector<Product> products;
    products.reserve(op.targets.size());
    std::size_t allRows = 0;
    bool quantized = false;
    for (const auto& target : op.targets) {
        products.emplace_back(execution, target, in);
        allRows += target.matrix->rows;
        quantized = quantized || products.back().quantized();
    }
    if (quantized) {
        quantizeInput(execution, in, execution.width(op.in));
    }
    const auto piece = pieceRows(allRows, execution.pool.threads(), execution.kernels.panelRows);
    std::vector<std::size_t> firstPieces { 0 }; // by product; one more at the end
    for (const auto& product : products) {
        firstPieces.push_back(firstPieces.back() + (product.rows() + piece - 1) / piece);
    }
    execution.pool.run(
        static_cast<std::int64_t>(firstPieces.back()), 1,
        [&](std::int64_t begin, std::int64_t, int thread) {
            const auto index = static_cast<std::size_t>(begin);
            const auto next = std::upper_bound(firstPieces.begin(), firstPieces.end(), index);
            const auto p = static_cast<std::size_t>(next - firstPieces.begin()) - 1;
            const auto row = (index - firstPieces[p]) * piece;
            products[p].compute(row, std::min(row + piece, products[p].rows()), thread);
        });
}

} // namespace engine::backend::cpu
