// The cases of one model for the self-test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/selftest_cases.h"
#include "engine/model/graph.h"

#include <vector>

namespace engine::backend {

/// In the graph's order each kind of op that it has, with the model's own weights and sizes, on
/// numbers of ours; at last the graph itself as op "model", cut down to one block of each kind and
/// the output, so that neither time nor memory grow with the number of blocks. The graph must
/// outlive the cases. `reference`: fast enough for a whole block.
[[nodiscard]] std::vector<SelfTestCase> modelCases(const model::Graph& graph,
                                                   const Backend& reference);

} // namespace engine::backend
