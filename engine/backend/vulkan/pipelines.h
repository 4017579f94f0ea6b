// Compute pipelines, made when first needed and kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"
#include "engine/backend/vulkan/pipeline_cache.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace engine::backend::vulkan {

/// How a shader sees one of its buffers.
enum class BindingKind : char {
    Texels = 't', ///< uniform texel buffer
    Storage = 's', ///< storage buffer
};

struct Pipeline
{
    VkPipeline handle = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
};

/// Thread-safe. Pipelines stay until it goes.
class Pipelines
{
public:
    /// `cacheDirectory`: see PipelineCache.
    explicit Pipelines(std::shared_ptr<Device> device,
                       const std::filesystem::path& cacheDirectory = {});
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    /// `shader` without its variant; `constants` by constant_id; `kinds`: one a binding, in order.
    /// Errors: DeviceFailed (with the shader's name), DeviceOutOfMemory.
    [[nodiscard]] Result<Pipeline> get(std::string_view shader,
                                       std::span<const std::uint32_t> constants,
                                       std::span<const BindingKind> kinds);

    /// Writes new ones to disk; worth calling after a first run.
    void save();

private:
    struct Layout
    {
        VkDescriptorSetLayout set = VK_NULL_HANDLE;
        VkPipelineLayout pipeline = VK_NULL_HANDLE;
    };
    using Key = std::tuple<std::string, std::vector<std::uint32_t>, std::string>;

    Result<Layout> layout(const std::string& kinds);
    Result<VkPipeline> make(const std::string& module, std::span<const std::uint32_t> constants,
                            VkPipelineLayout layout);

    std::shared_ptr<Device> m_device;
    std::mutex m_mutex;
    PipelineCache m_cache;
    std::map<std::string, Layout> m_layouts;
    std::map<Key, Pipeline> m_pipelines;
};

} // namespace engine::backend::vulkan
