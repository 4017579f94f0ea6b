// What a runner was asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/vulkan/pipelines.h"
#include "engine/backend/vulkan/runner_sizes.h"
#include "engine/backend/vulkan/weight_stores.h"

#include <memory>

namespace engine::backend::vulkan {

struct RunnerSetup
{
    std::shared_ptr<Device> device;
    std::shared_ptr<Pipelines> pipelines;
    std::shared_ptr<WeightStores> stores;
    const model::Graph& graph;
    RunnerOptions options;
    RunnerRows rows;
};

} // namespace engine::backend::vulkan
