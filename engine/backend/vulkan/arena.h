// Many ranges in few buffers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recorder.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engine::backend::vulkan {

/// Fixed at creation. Contents are undefined.
class Arena
{
public:
    /// One range for each of `sizes` (bytes; of 0: none). Errors: DeviceOutOfMemory, DeviceFailed.
    [[nodiscard]] static Result<Arena> create(const std::shared_ptr<Device>& device,
                                              std::span<const std::uint64_t> sizes, BufferUse use);

    [[nodiscard]] const std::vector<Range>& ranges() const { return m_ranges; }
    [[nodiscard]] const std::vector<std::unique_ptr<Buffer>>& buffers() const { return m_buffers; }
    [[nodiscard]] std::uint64_t bytes() const;

private:
    std::vector<std::unique_ptr<Buffer>> m_buffers;
    std::vector<Range> m_ranges;
};

} // namespace engine::backend::vulkan
