// Selective state spaces (arXiv 2312.00752, 2405.21060), token by token, for some heads at a time.
#include "engine/backend/cpu/execution.h"
#include "engine/model/softplus.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::cpu {

namespace {

/// All tokens of one head.
class Head
{
public:
    Head(Execution& execution, const model::op::StateScan& op, std::size_t head, int thread)
        : m_execution(execution)
        , m_op(op)
        , m_head(head)
        , m_group(head / (op.heads / op.groups))
        , m_decay(execution.threadScratch(thread, op.stateLength))
        , m_state(execution.states.at(op.state) + head * op.headLength * op.stateLength)
    {
    }

    void step(std::size_t row)
    {
        const std::size_t n = m_op.stateLength;
        const float bias = m_op.stepBias ? m_op.stepBias->values()[m_head] : 0.0F;
        const float step = model::softplus(rowOf(m_op.step, row)[m_head] + bias);
        setDecay(step);
        const float* x = rowOf(m_op.x, row) + m_op.xOffset + m_head * m_op.headLength;
        const float* b = rowOf(m_op.b, row) + m_op.bOffset + m_group * n;
        const float* c = rowOf(m_op.c, row) + m_op.cOffset + m_group * n;
        const float skip = m_op.d->values()[m_head];
        float* out = m_execution.slot(m_op.out) + row * m_execution.width(m_op.out)
            + m_head * m_op.headLength;
        for (std::size_t i = 0; i < m_op.headLength; ++i) {
            float* state = m_state + i * n;
            const float written = step * x[i];
            for (std::size_t k = 0; k < n; ++k) {
                state[k] = state[k] * m_decay[k] + written * b[k];
            }
            out[i] = m_execution.kernels.dotF32(state, c, n) + skip * x[i];
        }
    }

private:
    [[nodiscard]] const float* rowOf(model::Slot slot, std::size_t row)
    {
        return m_execution.slot(slot) + row * m_execution.width(slot);
    }

    void setDecay(float step)
    {
        const auto a = m_op.a->values();
        if (a.size() == m_op.heads) {
            std::fill_n(m_decay, m_op.stateLength, std::exp(step * a[m_head]));
            return;
        }
        const auto own = a.subspan(m_head * m_op.stateLength, m_op.stateLength);
        std::ranges::transform(own, m_decay, [step](float rate) { return std::exp(step * rate); });
    }

    Execution& m_execution;
    const model::op::StateScan& m_op;
    std::size_t m_head;
    std::size_t m_group;
    float* m_decay;
    float* m_state; // [headLength][stateLength]
};

} // namespace

void run(Execution& execution, const model::op::StateScan& op)
{
    (void)execution.slot(op.out); // grow before the threads start
    const std::int64_t grain = op.headLength > 8 ? 1 : 32; // heads of Mamba 1 are one number
    execution.pool.run(op.heads, grain, [&](std::int64_t begin, std::int64_t end, int thread) {
        for (auto h = begin; h < end; ++h) {
            Head head(execution, op, static_cast<std::size_t>(h), thread);
            for (std::size_t row = 0; row < execution.rows && !execution.stop.stop_requested();
                 ++row) {
                head.step(row);
            }
        }
    });
}

} // namespace engine::backend::cpu
