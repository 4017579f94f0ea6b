// What models do to attention's scores before their softmax: windows, caps, biases, sinks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/cpu/kernels.h"
#include "engine/model/ops.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace engine::backend::cpu {

/// Of one query head; see op::Attention.
class ScoreRule
{
public:
    ScoreRule(const model::op::Attention& op, std::size_t head)
        : m_op(op)
        , m_slope(op.alibi > 0.0F ? slope(op, head) : 0.0F)
        , m_sink(op.sinks ? op.sinks->values()[head] : -std::numeric_limits<float>::infinity())
    {
    }

    /// The first key that a token at this position sees.
    [[nodiscard]] static std::size_t firstKey(const model::op::Attention& op, std::size_t position)
    {
        if (op.chunk > 0) {
            return position - position % op.chunk;
        }
        return op.window > 0 && position + 1 > op.window ? position + 1 - op.window : 0;
    }

    /// `scores`: scaled products with `count` keys from `firstKey` on.
    void apply(const Kernels& kernels, float* scores, std::size_t count, std::size_t firstKey,
               std::size_t position) const
    {
        if (m_op.softCap > 0.0F) {
            kernels.softCap(scores, m_op.softCap, count);
        }
        if (m_slope != 0.0F) {
            for (std::size_t j = 0; j < count; ++j) {
                scores[j] -= m_slope * static_cast<float>(position - firstKey - j);
            }
        }
    }

    /// A score that takes part in the softmax and has no value; -infinity: none.
    [[nodiscard]] float sink() const { return m_sink; }

private:
    /// A geometric row, and for heads beyond a power of two every second number of a finer one.
    static float slope(const model::op::Attention& op, std::size_t head)
    {
        std::size_t n = 1;
        while (n * 2 <= op.heads) {
            n *= 2;
        }
        const double exponent =
            head < n ? double(head + 1) / double(n) : double(2 * (head - n) + 1) / double(2 * n);
        return static_cast<float>(std::exp2(-double(op.alibi) * exponent));
    }

    const model::op::Attention& m_op;
    float m_slope;
    float m_sink;
};

} // namespace engine::backend::cpu
