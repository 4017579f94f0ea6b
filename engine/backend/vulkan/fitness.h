// What a device must have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/api.h"

#include <string>

namespace engine::backend::vulkan {

/// Why a device with such a version and such limits can't be used; empty where it can.
[[nodiscard]] std::string unfitReason(const VkPhysicalDeviceProperties& properties);

} // namespace engine::backend::vulkan
