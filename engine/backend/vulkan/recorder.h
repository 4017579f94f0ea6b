// Records dispatches with the barriers that they need, for one use or many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/pipelines.h"
#include "engine/backend/vulkan/slices.h"
#include "engine/backend/vulkan/views.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace engine::backend::vulkan {

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

    /// Submissions end before they would be of more work than that (a number above 0), and
    /// dispatches of more are cut. Else only `cut` ends them.
    void bound(double work) { m_mostWork = work; }
    /// Every dispatch sees what the ones before it wrote. `shader`: without its variant;
    /// `constants` by constant_id; bindings are numbered in order; `push`: at most 128 bytes.
    /// Nothing happens where a side of `groups` is 0. `work`: multiplications, roughly, where they
    /// are many; workgroups must not ask then how many there are (gl_NumWorkGroups).
    void dispatch(std::string_view shader, std::span<const std::uint32_t> constants,
                  std::span<const Binding> bindings, std::span<const std::uint32_t> push,
                  Groups groups, double work = 0);
    void dispatch(std::string_view shader, std::initializer_list<std::uint32_t> constants,
                  std::initializer_list<Binding> bindings,
                  std::initializer_list<std::uint32_t> push, Groups groups, double work = 0)
    {
        dispatch(shader, std::span(constants.begin(), constants.size()),
                 std::span(bindings.begin(), bindings.size()), std::span(push.begin(), push.size()),
                 groups, work);
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
    /// Of all dispatches so far.
    [[nodiscard]] double work() const { return m_work; }
    [[nodiscard]] Result<std::unique_ptr<Program>> finish();
    /// Finishes, submits once and waits for the end. Errors: of Device::submit too.
    [[nodiscard]] Result<void> run();

private:
    void begin();
    void end();
    [[nodiscard]] bool failed(const Result<void>& result);
    [[nodiscard]] VkDescriptorSet newSet(VkDescriptorSetLayout layout);
    void write(VkDescriptorSet set, std::span<const Binding> bindings);
    void bind(const Pipeline& pipeline, VkDescriptorSet set, std::span<const std::uint32_t> push);
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
    double m_mostWork = std::numeric_limits<double>::infinity(); // of a submission
    double m_work = 0;
    double m_workOfPart = 0;
};

} // namespace engine::backend::vulkan
