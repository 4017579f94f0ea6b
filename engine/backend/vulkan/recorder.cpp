#include "engine/backend/vulkan/recorder.h"

#include "engine/backend/vulkan/check.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kSetsOfPool = 256;
constexpr std::uint32_t kMostBindings = 16;

bool overlap(const Range& a, const Range& b)
{
    return a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

} // namespace

Program::Program(std::shared_ptr<Device> device)
    : m_device(std::move(device))
{
}

Program::~Program()
{
    const auto& vk = m_device->vk();
    for (auto* pool : m_setPools) {
        vk.vkDestroyDescriptorPool(m_device->handle(), pool, nullptr);
    }
    vk.vkDestroyCommandPool(m_device->handle(), m_pool, nullptr);
}

Recorder::Recorder(std::shared_ptr<Device> device, Pipelines& pipelines, Views& views)
    : m_device(std::move(device))
    , m_pipelines(pipelines)
    , m_views(views)
    , m_program(std::make_unique<Program>(m_device))
{
    VkCommandPoolCreateInfo info { VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
    info.queueFamilyIndex = m_device->queueFamily();
    if (!failed(check(m_device->vk().vkCreateCommandPool(m_device->handle(), &info, nullptr,
                                                         &m_program->m_pool),
                      "vkCreateCommandPool"))) {
        begin();
    }
}

bool Recorder::failed(const Result<void>& result)
{
    if (m_result && !result) {
        m_result = result;
    }
    return !m_result;
}

void Recorder::begin()
{
    VkCommandBufferAllocateInfo info { VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO };
    info.commandPool = m_program->m_pool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const auto& vk = m_device->vk();
    if (failed(check(vk.vkAllocateCommandBuffers(m_device->handle(), &info, &commands),
                     "vkAllocateCommandBuffers"))) {
        return;
    }
    m_program->m_parts.push_back(commands);
    const VkCommandBufferBeginInfo beginInfo { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    (void)failed(check(vk.vkBeginCommandBuffer(commands, &beginInfo), "vkBeginCommandBuffer"));
    m_bound = VK_NULL_HANDLE;
    // submissions wait for each other on the CPU; memory is ordered by the first barrier
    m_pending.clear();
    VkMemoryBarrier barrier { VK_STRUCTURE_TYPE_MEMORY_BARRIER };
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0,
                            nullptr);
}

void Recorder::end()
{
    if (!m_result) {
        return;
    }
    // for the CPU, which may read results
    VkMemoryBarrier barrier { VK_STRUCTURE_TYPE_MEMORY_BARRIER };
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    const auto& vk = m_device->vk();
    vk.vkCmdPipelineBarrier(commands(),
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    (void)failed(check(vk.vkEndCommandBuffer(commands()), "vkEndCommandBuffer"));
}

void Recorder::cut()
{
    end();
    m_workOfPart = 0;
    if (m_result) {
        begin();
    }
}

Result<std::unique_ptr<Program>> Recorder::finish()
{
    end();
    if (!m_result) {
        return tl::unexpected(m_result.error());
    }
    return std::move(m_program);
}

Result<void> Recorder::run()
{
    const auto program = finish();
    return program ? m_device->submit((*program)->parts()) : tl::unexpected(program.error());
}

bool Recorder::needsBarrier(const Range& range, bool writes) const
{
    return std::ranges::any_of(m_pending, [&](const Binding& earlier) {
        return (writes || earlier.isOutput) && overlap(range, earlier.range);
    });
}

void Recorder::order(std::span<const Binding> bindings)
{
    const bool waits = std::ranges::any_of(
        bindings, [&](const Binding& b) { return needsBarrier(b.range, b.isOutput); });
    if (waits) {
        constexpr auto stages =
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
        VkMemoryBarrier barrier { VK_STRUCTURE_TYPE_MEMORY_BARRIER };
        barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
            | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        m_device->vk().vkCmdPipelineBarrier(commands(), stages, stages, 0, 1, &barrier, 0, nullptr,
                                            0, nullptr);
        m_pending.clear();
    }
    m_pending.insert(m_pending.end(), bindings.begin(), bindings.end());
}

VkDescriptorSet Recorder::newSet(VkDescriptorSetLayout layout)
{
    const auto& vk = m_device->vk();
    if (m_setsLeft == 0) {
        const VkDescriptorPoolSize sizes[] = {
            { VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kSetsOfPool * kMostBindings / 2 },
            { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsOfPool * kMostBindings },
        };
        VkDescriptorPoolCreateInfo info { VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO };
        info.maxSets = kSetsOfPool;
        info.poolSizeCount = static_cast<std::uint32_t>(std::size(sizes));
        info.pPoolSizes = sizes;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        if (failed(check(vk.vkCreateDescriptorPool(m_device->handle(), &info, nullptr, &pool),
                         "vkCreateDescriptorPool"))) {
            return VK_NULL_HANDLE;
        }
        m_program->m_setPools.push_back(pool);
        m_setsLeft = kSetsOfPool;
    }
    --m_setsLeft;
    VkDescriptorSetAllocateInfo info { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO };
    info.descriptorPool = m_program->m_setPools.back();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    (void)failed(check(vk.vkAllocateDescriptorSets(m_device->handle(), &info, &set),
                       "vkAllocateDescriptorSets"));
    return set;
}

void Recorder::write(VkDescriptorSet set, std::span<const Binding> bindings)
{
    std::vector<VkDescriptorBufferInfo> buffers(bindings.size());
    std::vector<VkBufferView> views(bindings.size());
    std::vector<VkWriteDescriptorSet> writes;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
        const auto& binding = bindings[i];
        VkWriteDescriptorSet write { VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET };
        write.dstSet = set;
        write.dstBinding = static_cast<std::uint32_t>(i);
        write.descriptorCount = 1;
        if (!binding.isOutput && m_device->readsTexels()) {
            auto view = m_views.get(binding.range, binding.format);
            if (!view) {
                m_result = tl::unexpected(view.error());
                return;
            }
            views[i] = *view;
            write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
            write.pTexelBufferView = &views[i];
        } else {
            buffers[i] = { binding.range.buffer->handle(), binding.range.offset,
                           binding.range.bytes };
            write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            write.pBufferInfo = &buffers[i];
        }
        writes.push_back(write);
    }
    m_device->vk().vkUpdateDescriptorSets(
        m_device->handle(), static_cast<std::uint32_t>(writes.size()), writes.data(), 0, nullptr);
}

void Recorder::bind(const Pipeline& pipeline, VkDescriptorSet set,
                    std::span<const std::uint32_t> push)
{
    const auto& vk = m_device->vk();
    if (m_bound != pipeline.handle) {
        vk.vkCmdBindPipeline(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
        m_bound = pipeline.handle;
    }
    vk.vkCmdBindDescriptorSets(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1,
                               &set, 0, nullptr);
    if (!push.empty()) {
        vk.vkCmdPushConstants(commands(), pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              static_cast<std::uint32_t>(push.size_bytes()), push.data());
    }
}

void Recorder::dispatch(std::string_view shader, std::span<const std::uint32_t> constants,
                        std::span<const Binding> bindings, std::span<const std::uint32_t> push,
                        Groups groups, double work)
{
    if (!m_result || groups.x == 0 || groups.y == 0 || groups.z == 0) {
        return;
    }
    std::vector<BindingKind> kinds;
    for (const auto& binding : bindings) {
        kinds.push_back(!binding.isOutput && m_device->readsTexels() ? BindingKind::Texels
                                                                     : BindingKind::Storage);
    }
    const auto pipeline = m_pipelines.get(shader, constants, kinds);
    if (!pipeline) {
        m_result = tl::unexpected(pipeline.error());
        return;
    }
    auto* set = newSet(pipeline->set);
    if (m_result) {
        write(set, bindings);
    }
    constexpr double most = std::numeric_limits<std::uint32_t>::max();
    const auto parts = std::min(most, std::ceil(work / m_mostWork));
    const auto all = slices(groups, static_cast<std::uint32_t>(parts));
    const auto workOfSlice = work / double(all.size());
    for (const auto& slice : all) {
        if (m_workOfPart > 0 && m_workOfPart + workOfSlice > m_mostWork) {
            cut();
        }
        if (!m_result) {
            return;
        }
        order(bindings);
        bind(*pipeline, set, push);
        const auto& [first, count] = slice;
        m_device->vk().vkCmdDispatchBase(commands(), first.x, first.y, first.z, count.x, count.y,
                                         count.z);
        m_workOfPart += workOfSlice;
    }
    m_work += work;
}

void Recorder::copy(const Range& from, const Range& to)
{
    if (!m_result || from.bytes == 0) {
        return;
    }
    const Binding bindings[] = { input(from), output(to) };
    order(bindings);
    const VkBufferCopy region { from.offset, to.offset, from.bytes };
    m_device->vk().vkCmdCopyBuffer(commands(), from.buffer->handle(), to.buffer->handle(), 1,
                                   &region);
}

void Recorder::clear(const Range& range)
{
    if (!m_result || range.bytes == 0) {
        return;
    }
    const Binding bindings[] = { output(range) };
    order(bindings);
    m_device->vk().vkCmdFillBuffer(commands(), range.buffer->handle(), range.offset, range.bytes,
                                   0);
}

void Recorder::resetQueries(VkQueryPool pool, std::uint32_t count)
{
    if (m_result) {
        m_device->vk().vkCmdResetQueryPool(commands(), pool, 0, count);
    }
}

void Recorder::timestamp(VkQueryPool pool, std::uint32_t query)
{
    if (m_result) {
        m_device->vk().vkCmdWriteTimestamp(commands(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool,
                                           query);
    }
}

} // namespace engine::backend::vulkan
