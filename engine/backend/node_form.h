// Which form of its op a node is, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <string>

namespace engine::backend {

/// Types and sizes that shaders depend on: "Q4_K 2048 × 5632", "32 heads of 64 on 4, window 512".
/// Nodes of one op and one form do the same with other numbers.
[[nodiscard]] std::string nodeForm(const model::Node& node, const model::Graph& graph);

} // namespace engine::backend
