// Runs the parts of a graph on the backends they belong to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/graph_parts.h"

#include <memory>
#include <vector>

namespace engine::backend {

/// Parts run one after the other; activations that live on are carried over in the process's
/// memory. Errors: those of the backends.
[[nodiscard]] Result<std::unique_ptr<Runner>>
splitRunner(std::vector<GraphPart> parts, const Backend& device, const RunnerOptions& options);

} // namespace engine::backend
