// How much work a node is, to cut long runs into short submissions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <cstdint>

namespace engine::backend::vulkan {

/// Multiplications, roughly; attention as if the context was full.
[[nodiscard]] double multiplications(const model::Node& node, const model::Graph& graph,
                                     std::uint32_t rows, std::uint32_t contextLength);

} // namespace engine::backend::vulkan
