// The cases of the self-test: small graphs around one op each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/op_graph.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace engine::backend {

/// More than one tile of a matrix product, and no multiple of anything.
constexpr std::size_t kSelfTestRows = 37;

struct SelfTestCase
{
    std::string op; ///< as opName says
    std::string type; ///< of the weights, or which form of the op
    /// Largest difference that is no fault, in units of the largest number of the row.
    double tolerance;
    /// Fills an empty graph; its inputs have kSelfTestRows rows.
    std::function<void(OpGraph&)> build;
    /// What is right; null: the scalar backend.
    const Backend* reference = nullptr;
    std::size_t singles = kSelfTestRows; ///< rows that are run one by one as well
    std::size_t strayRows = 0; ///< so many rows may differ: ties between experts fall either way
};

/// Every op of the graphs and every tensor type that weights can have.
[[nodiscard]] std::vector<SelfTestCase> selfTestCases();

} // namespace engine::backend
