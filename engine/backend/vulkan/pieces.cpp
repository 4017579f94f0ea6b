#include "engine/backend/vulkan/pieces.h"

#include <algorithm>

namespace engine::backend::vulkan {

std::uint32_t pieceGroup(const Device& device, std::uint32_t steps)
{
    const auto most = device.groupSize();
    if (device.isSoftware()) {
        return most;
    }
    auto group = std::clamp(device.facts().subgroupSize, 1U, most);
    while (group < steps && 2 * group <= most) {
        group *= 2;
    }
    return group;
}

} // namespace engine::backend::vulkan
