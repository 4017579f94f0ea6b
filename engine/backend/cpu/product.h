// Products of matrices with rows of activations, all of one op in one go.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/cpu/execution.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace engine::backend::cpu {

/// Rows of numbers at equal distances, or those of them that `index` names.
template <typename T>
struct RowSet
{
    T* base = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* index = nullptr; ///< null: one after the other

    [[nodiscard]] T* at(std::size_t row) const
    {
        return base + (index ? index[row] : row) * stride;
    }
};

/// out[t] = matrix · in[t] + bias for `count` rows.
struct Product
{
    model::Matrix matrix;
    const float* bias = nullptr; ///< null: none
    RowSet<const float> in;
    RowSet<float> out;
    std::size_t count = 0;
    const Q8Row* quantized = nullptr; ///< the rows of `in` once more; needed where wantsQ8 says so
};

/// True where products with this matrix take activations of 8 bits.
[[nodiscard]] bool wantsQ8(const Execution& execution, const model::Matrix& matrix);

/// Rounds `count` rows of `width` numbers. What is returned holds until the next call.
const Q8Row* quantizeRows(Execution& execution, std::size_t count, std::size_t width,
                          const std::function<const float*(std::size_t)>& row);

/// Computes all of them over all threads. Each product's weights are read once.
void multiplyAll(Execution& execution, std::span<const Product> products);

} // namespace engine::backend::cpu
