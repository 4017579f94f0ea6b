// Brings weights into memory that a device reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/arena.h"
#include "engine/backend/vulkan/weight_spans.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace engine::backend::vulkan {

/// Bytes past a matrix that shaders may fetch.
inline constexpr VkDeviceSize kOverread = 64;

/// Consecutive bytes of the process and where the device has them.
struct StoredPiece
{
    std::span<const std::byte> source;
    const Buffer* buffer = nullptr;
    VkDeviceSize offset = 0;
    VkDeviceSize readable = 0; ///< bytes from `offset` on that may be read
};

struct StoredWeights
{
    Arena matrices;
    Arena small; ///< vectors and codebooks
    std::vector<std::unique_ptr<Buffer>> imports; ///< pages of the process

    std::map<const std::byte*, StoredPiece> pieces; ///< by the begin of their source
    std::map<const float*, Range> vectors; ///< by their first number
    std::map<gguf::TensorType, Range> codebooks;
};

/// Where the device can read the process's memory, matrices stay where they are. `progress`: a
/// fraction of the matrices' bytes. Errors: DeviceOutOfMemory, DeviceLost, DeviceFailed, Cancelled.
[[nodiscard]] Result<StoredWeights> uploaded(const std::shared_ptr<Device>& device,
                                             const WeightSpans& spans, std::stop_token stop,
                                             const std::function<void(double)>& progress);

} // namespace engine::backend::vulkan
