// Rotations of queries and keys and the cache's new rows in one dispatch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

#include <cstddef>
#include <optional>

namespace engine::backend::vulkan {

/// Three nodes that follow each other; does what they do, one after the other.
struct RopeStore
{
    const model::op::Rope* query;
    const model::op::Rope* key;
    const model::op::StoreKv* store;
};

/// The three that begin at `node`, where they can be done in one.
[[nodiscard]] std::optional<RopeStore> ropeStoreAt(const model::Graph& graph, std::size_t node);

void record(Recording& recording, const RopeStore& op);

} // namespace engine::backend::vulkan
