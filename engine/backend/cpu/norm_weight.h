// What the norms share: a vector for each piece of a row, or one for all, or none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/cpu/kernels.h"
#include "engine/model/weights.h"

#include <cstddef>

namespace engine::backend::cpu {

class NormVector
{
public:
    /// `vector` may be null; `length` of a piece.
    NormVector(const model::Vector* vector, std::size_t length)
        : m_values(vector ? vector->values().data() : nullptr)
        , m_step(vector && vector->values().size() > length ? length : 0)
    {
    }
    /// Null where there is none.
    [[nodiscard]] const float* of(std::size_t piece) const
    {
        return m_values ? m_values + piece * m_step : nullptr;
    }

private:
    const float* m_values;
    std::size_t m_step; // 0: the same for all pieces
};

/// out = in · factor · weight; a weight that is null is all ones.
inline void scaleBy(const Kernels& kernels, const float* in, float factor, const float* weight,
                    float* out, std::size_t n)
{
    if (weight) {
        kernels.scaleBy(in, factor, weight, out, n);
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = in[i] * factor;
    }
}

} // namespace engine::backend::cpu
