// Vulkan's result codes as errors of ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/api.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace engine::backend::vulkan {

/// "VK_ERROR_DEVICE_LOST", or the number of a code that we have no name for.
[[nodiscard]] std::string resultName(VkResult result);

/// Errors: DeviceLost, DeviceOutOfMemory, DeviceFailed (with the name of the call).
[[nodiscard]] Result<void> check(VkResult result, std::string_view call);

} // namespace engine::backend::vulkan
