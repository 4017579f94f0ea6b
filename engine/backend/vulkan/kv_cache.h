// The keys and values of a runner on the device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/arena.h"
#include "engine/backend/vulkan/recording.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine::backend::vulkan {

class KvCache
{
public:
    /// A layer that one binding can't hold lies in several windows of whole heads. Errors:
    /// DeviceOutOfMemory (also where one head is more than a binding), DeviceFailed.
    [[nodiscard]] static Result<KvCache> create(const std::shared_ptr<Device>& device,
                                                const model::KvGeometry& geometry,
                                                const RunnerOptions& options);

    /// By op::Attention::layer.
    [[nodiscard]] const std::vector<CacheLayer>& layers() const { return m_layers; }
    [[nodiscard]] std::uint64_t bytes() const { return m_memory.bytes(); }

private:
    Arena m_memory;
    std::vector<CacheLayer> m_layers;
};

} // namespace engine::backend::vulkan
