// Causal convolution of each channel by itself, for slices of channels.
#include "engine/backend/cpu/activate.h"
#include "engine/backend/cpu/execution.h"
#include "engine/quant/codec.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

constexpr std::size_t kSlice = 256; // channels

/// All tokens of some channels.
class Slice
{
public:
    Slice(Execution& execution, const model::op::ShortConv& op, std::size_t first, int thread)
        : m_execution(execution)
        , m_op(op)
        , m_channels(execution.width(op.in))
        , m_first(first)
        , m_count(std::min(kSlice, m_channels - first))
        , m_before(op.weight->columns - 1)
        , m_in(execution.slot(op.in))
        , m_out(execution.slot(op.out))
        , m_state(execution.states.at(op.state))
    {
        const auto taps = op.weight->columns;
        m_weights = execution.threadScratch(thread, (taps + m_before + 1) * kSlice);
        m_newState = m_weights + taps * kSlice;
        m_sum = m_newState + m_before * kSlice;
        turnWeights();
    }

    void run()
    {
        const auto rows = m_execution.rows;
        for (std::size_t k = 0; k < m_before; ++k) {
            std::copy_n(input(rows + k), m_count, m_newState + k * kSlice);
        }
        for (auto row = rows; row-- > 0;) { // backwards: out may be in
            convolve(row);
        }
        for (std::size_t k = 0; k < m_before; ++k) {
            std::copy_n(m_newState + k * kSlice, m_count, m_state + k * m_channels + m_first);
        }
    }

private:
    /// One tap of all channels behind the other: [taps][kSlice].
    void turnWeights()
    {
        const auto& weight = *m_op.weight;
        const auto decode = quant::codec(weight.type)->decode;
        for (std::size_t c = 0; c < m_count; ++c) {
            decode(weight.row(m_first + c), m_sum, weight.columns);
            for (std::size_t k = 0; k < weight.columns; ++k) {
                m_weights[k * kSlice + c] = m_sum[k];
            }
        }
    }

    /// The inputs one behind the other, those before the batch first.
    [[nodiscard]] const float* input(std::size_t index) const
    {
        return m_first
            + (index < m_before ? m_state + index * m_channels
                                : m_in + (index - m_before) * m_channels);
    }

    void convolve(std::size_t row)
    {
        const float* bias = m_op.bias ? m_op.bias->values().data() + m_first : nullptr;
        for (std::size_t c = 0; c < m_count; ++c) {
            m_sum[c] = bias ? bias[c] : 0.0F;
        }
        for (std::size_t k = 0; k <= m_before; ++k) {
            const float* in = input(row + k);
            const float* weights = m_weights + k * kSlice;
            for (std::size_t c = 0; c < m_count; ++c) {
                m_sum[c] += weights[c] * in[c];
            }
        }
        activate(m_execution.kernels, m_op.function, m_sum, m_count);
        std::copy_n(m_sum, m_count, m_out + row * m_channels + m_first);
    }

    Execution& m_execution;
    const model::op::ShortConv& m_op;
    std::size_t m_channels;
    std::size_t m_first;
    std::size_t m_count;
    std::size_t m_before; // inputs of earlier tokens
    const float* m_in;
    float* m_out;
    float* m_state; // [before][channels]
    float* m_weights; // [taps][kSlice]
    float* m_newState; // [before][kSlice]
    float* m_sum;
};

} // namespace

void run(Execution& execution, const model::op::ShortConv& op)
{
    (void)execution.slot(op.out); // grow before the threads start
    const auto channels = execution.width(op.in);
    const auto slices = static_cast<std::int64_t>((channels + kSlice - 1) / kSlice);
    // a few tokens are done before a worker wakes
    constexpr std::size_t few = 16384;
    const bool alone = execution.rows * channels <= few;
    execution.pool.run(
        slices, alone ? slices : 1, [&](std::int64_t begin, std::int64_t end, int thread) {
            for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s) {
                Slice(execution, op, s * kSlice, thread).run();
            }
        });
}

} // namespace engine::backend::cpu
