// What a driver compiled before, kept on disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace engine::backend::vulkan {

/// One file a device and driver. A file that is missing, damaged or of another driver counts as
/// none: pipelines are only made more slowly.
class PipelineCache
{
public:
    /// Nothing is read or written where `directory` is empty.
    PipelineCache(std::shared_ptr<Device> device, const std::filesystem::path& directory);
    /// Writes what came new.
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// Null where the driver makes none.
    [[nodiscard]] VkPipelineCache handle() const { return m_cache; }
    /// Writes the file if there is more than it holds. Failures are ignored: it is a cache.
    void save();

private:
    [[nodiscard]] std::vector<std::byte> read() const;
    [[nodiscard]] bool isOurs(std::span<const std::byte> bytes) const;

    std::shared_ptr<Device> m_device;
    std::filesystem::path m_file;
    VkPipelineCache m_cache = VK_NULL_HANDLE;
    std::size_t m_savedBytes = 0;
};

} // namespace engine::backend::vulkan
