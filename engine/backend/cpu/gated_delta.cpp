// The gated delta rule, token by token, for each head by itself. Source: arXiv 2412.06464.
#include "engine/backend/cpu/execution.h"
#include "engine/model/softplus.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::cpu {

namespace {

/// All tokens of one value head.
class Head
{
public:
    Head(Execution& execution, const model::op::GatedDelta& op, std::uint32_t head, int thread)
        : m_execution(execution)
        , m_op(op)
        , m_head(head)
        , m_keyHead(op.interleaved ? head % op.keyHeads : head / (op.valueHeads / op.keyHeads))
        , m_state(execution.states.at(op.state) + std::size_t(head) * op.keyLength * op.valueLength)
    {
        m_key = execution.threadScratch(thread, 2 * std::size_t(op.keyLength) + op.valueLength);
        m_query = m_key + op.keyLength;
        m_change = m_query + op.keyLength;
    }

    void step(std::size_t row)
    {
        const auto& kernels = m_execution.kernels;
        const std::size_t keyAt = std::size_t(m_keyHead) * m_op.keyLength;
        normalize(rowOf(m_op.key, row) + m_op.keyOffset + keyAt, 1.0F, m_key);
        normalize(rowOf(m_op.query, row) + m_op.queryOffset + keyAt,
                  1.0F / std::sqrt(static_cast<float>(m_op.keyLength)), m_query);
        const float alpha = rowOf(m_op.alpha, row)[m_head];
        const float beta = rowOf(m_op.beta, row)[m_head];
        const float decay =
            std::exp(m_op.a->values()[m_head] * model::softplus(alpha + m_op.dt->values()[m_head]));
        const float rate = 1.0F / (1.0F + std::exp(-beta));
        const std::size_t length = m_op.valueLength;
        // what the decayed state holds for the key, and how it should change
        std::fill_n(m_change, length, 0.0F);
        kernels.addRows(m_change, m_key, m_state, m_op.keyLength, length);
        const float* value = rowOf(m_op.value, row) + m_op.valueOffset + m_head * length;
        for (std::size_t i = 0; i < length; ++i) {
            m_change[i] = rate * (value[i] - decay * m_change[i]);
        }
        float* out =
            m_execution.slot(m_op.out) + row * m_execution.width(m_op.out) + m_head * length;
        kernels.deltaStep(m_state, decay, m_key, m_change, m_query, out, m_op.keyLength, length);
    }

private:
    [[nodiscard]] const float* rowOf(model::Slot slot, std::size_t row)
    {
        return m_execution.slot(slot) + row * m_execution.width(slot);
    }

    /// To this length; vectors shorter than epsilon stay short.
    void normalize(const float* in, float length, float* out)
    {
        const float norm = std::sqrt(m_execution.kernels.sumOfSquares(in, m_op.keyLength));
        const float factor = length / std::max(norm, m_op.epsilon);
        std::transform(in, in + m_op.keyLength, out, [factor](float x) { return x * factor; });
    }

    Execution& m_execution;
    const model::op::GatedDelta& m_op;
    std::uint32_t m_head;
    std::uint32_t m_keyHead;
    float* m_state; // [keyLength][valueLength]
    float* m_key; // normed
    float* m_query;
    float* m_change; // of the state along the key
};

} // namespace

void run(Execution& execution, const model::op::GatedDelta& op)
{
    (void)execution.slot(op.out); // grow before the threads start
    execution.pool.run(op.valueHeads, 1, [&](std::int64_t begin, std::int64_t, int thread) {
        Head head(execution, op, static_cast<std::uint32_t>(begin), thread);
        for (std::size_t row = 0; row < execution.rows && !execution.stop.stop_requested(); ++row) {
            head.step(row);
        }
    });
}

} // namespace engine::backend::cpu
