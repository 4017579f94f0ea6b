// What the ops with a recurrent state share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

/// A state by whole vec4: what lies behind it in the last one belongs to nobody.
[[nodiscard]] inline Range stateRange(const Recording& recording, std::uint32_t state)
{
    auto range = recording.states[state];
    range.bytes = (range.bytes + 15) / 16 * 16;
    return range;
}

/// Groups of invocations that are independent: small ones spread over the device.
[[nodiscard]] inline std::uint32_t stateGroup(const Device& device)
{
    constexpr std::uint32_t most = 64;
    return device.groupSize() < most ? device.groupSize() : most;
}

} // namespace engine::backend::vulkan
