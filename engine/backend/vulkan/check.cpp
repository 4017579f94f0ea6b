#include "engine/backend/vulkan/check.h"

#include <utility>

namespace engine::backend::vulkan {

std::string resultName(VkResult result)
{
    switch (result) {
#define NAME(code)                                                                                 \
    case code:                                                                                     \
        return #code
        NAME(VK_NOT_READY);
        NAME(VK_TIMEOUT);
        NAME(VK_INCOMPLETE);
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        NAME(VK_ERROR_INITIALIZATION_FAILED);
        NAME(VK_ERROR_DEVICE_LOST);
        NAME(VK_ERROR_MEMORY_MAP_FAILED);
        NAME(VK_ERROR_LAYER_NOT_PRESENT);
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
        NAME(VK_ERROR_FEATURE_NOT_PRESENT);
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
        NAME(VK_ERROR_TOO_MANY_OBJECTS);
        NAME(VK_ERROR_FRAGMENTED_POOL);
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
        NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE);
        NAME(VK_ERROR_UNKNOWN);
#undef NAME
    default:
        return "VkResult " + std::to_string(static_cast<int>(result));
    }
}

Result<void> check(VkResult result, std::string_view call)
{
    switch (result) {
    case VK_SUCCESS:
        return {};
    case VK_ERROR_DEVICE_LOST:
        return failure(ErrorCode::DeviceLost, { "" });
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return failure(ErrorCode::DeviceOutOfMemory, { std::string(call) });
    default:
        return failure(ErrorCode::DeviceFailed, { std::string(call), resultName(result) });
    }
}

} // namespace engine::backend::vulkan
