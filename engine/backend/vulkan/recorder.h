// Records dispatches with the barriers that they need, for one use or many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/buffer.h"
#include "engine/backend/vulkan/pipelines.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace engine::backend::vulkan {

/// Part of a buffer. `offset` is a multiple of facts().offsetAlignment.
struct Range
{
    const Buffer* buffer = nullptr;
    VkDeviceSize offset = 0;
    VkDeviceSize bytes = 0;
};

/// How a shader reads an input (see include/io.glsl).
enum class Format {
    Floats, ///< vec4 of 4 floats
    Bits, ///< uvec4 of 16 bytes
    Halves, ///< vec4 of 4 halves (8 bytes)
};

/// A buffer of a dispatch: an input is only read, an output is written and may be read.
struct Binding
{
    Range range;
    bool isOutput = false;
    Format format = Format::Floats;
};

[[nodiscard]] inline Binding input(Range range, Format format = Format::Floats)
{
    return { range, false, format };
}
[[nodiscard]] inline Binding output(Range range)
{
    return { range, true };
}

/// Workgroups of a dispatch, by axis.
struct Groups
{
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// Texel views of ranges, kept until it goes; it must go before the buffers.
class Views
{
public:
    explicit Views(std::shared_ptr<Device> device);
    ~Views();
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;

    [[nodiscard]] Result<VkBufferView> get(const Range& range, Format format);

private:
    using Key = std::tuple<VkBuffer, VkDeviceSize, VkDeviceSize, Format>;
    std::shared_ptr<Device> m_device;
    std::map<Key, VkBufferView> m_views;
};

/// Command buffers that may be submitted again and again, with all that they refer to but buffers
/// and views.
class Program
{
public:
    explicit Program(std::shared_ptr<Device> device);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// In order; between two of them the work may be given up.
    [[nodiscard]] std::span<const VkCommandBuffer> parts() const { return m_parts; }

private:
    friend class Recorder;
    std::shared_ptr<Device> m_device;
    VkCommandPool m_pool = VK_NULL_HANDLE;
    std::vector<VkCommandBuffer> m_parts;
    std::vector<VkDescriptorPool> m_setPools;
};

/// After a failure nothing more is recorded; `finish` tells it.
class Recorder
{
public:
    Recorder(std::shared_ptr<Device> device, Pipelines& pipelines, Views& views);

    /// Every dispatch sees what the ones before it wrote. `shader`: without its variant;
    /// `constants` by constant_id; bindings are numbered in order; `push`: at most 128 bytes.
    /// Nothing happens where a side of `groups` is 0.
    void dispatch(std::string_view shader, std::span<const std::uint32_t> constants,
                  std::span<const Binding> bindings, std::span<const std::uint32_t> push,
                  Groups groups);
    void dispatch(std::string_view shader, std::initializer_list<std::uint32_t> constants,
                  std::initializer_list<Binding> bindings,
                  std::initializer_list<std::uint32_t> push, Groups groups)
    {
        dispatch(shader, std::span(constants.begin(), constants.size()),
                 std::span(bindings.begin(), bindings.size()), std::span(push.begin(), push.size()),
                 groups);
    }
    /// Both of the same length, which may be 0.
    void copy(const Range& from, const Range& to);
    /// Zeros. Offset and length are multiples of 4.
    void clear(const Range& range);
    /// What follows is a submission of its own.
    void cut();
    void resetQueries(VkQueryPool pool, std::uint32_t count);
    /// Timestamp number `query` of `pool` here.
    void timestamp(VkQueryPool pool, std::uint32_t query);
    /// Nothing more is recorded: the device cannot do `what`.
    void fail(const std::string& what)
    {
        if (m_result) {
            m_result = failure(ErrorCode::DeviceFailed, { what, "no shader does it" });
        }
    }
    [[nodiscard]] Result<std::unique_ptr<Program>> finish();
    /// Finishes, submits once and waits for the end. Errors: of Device::submit too.
    [[nodiscard]] Result<void> run();

private:
    void begin();
    void end();
    [[nodiscard]] bool failed(const Result<void>& result);
    [[nodiscard]] VkDescriptorSet newSet(VkDescriptorSetLayout layout);
    void write(VkDescriptorSet set, std::span<const Binding> bindings);
    [[nodiscard]] VkCommandBuffer commands() const { return m_program->m_parts.back(); }
    [[nodiscard]] bool needsBarrier(const Range& range, bool writes) const;
    void order(std::span<const Binding> bindings);

    std::shared_ptr<Device> m_device;
    Pipelines& m_pipelines;
    Views& m_views;
    std::unique_ptr<Program> m_program;
    Result<void> m_result;
    VkPipeline m_bound = VK_NULL_HANDLE;
    std::uint32_t m_setsLeft = 0;
    std::vector<Binding> m_pending; // since the last barrier
};

} // namespace engine::backend::vulkan
