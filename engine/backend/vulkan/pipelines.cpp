#include "engine/backend/vulkan/pipelines.h"

#include "engine/backend/vulkan/check.h"
#include "shaders/shaders.h"

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kPushBytes = 128; // what every device has

std::string_view suffix(ShaderVariant variant)
{
    switch (variant) {
    case ShaderVariant::Texels:
        return ".texels";
    case ShaderVariant::Storage:
        return ".storage";
    case ShaderVariant::Plain:
        break;
    }
    return ".plain";
}

/// Of its variant, or what serves all variants.
std::string moduleOf(std::string_view shader, ShaderVariant variant)
{
    auto module = std::string(shader) + std::string(suffix(variant));
    return shaders::find(module).empty() ? std::string(shader) + ".any" : module;
}

} // namespace

Pipelines::Pipelines(std::shared_ptr<Device> device, const std::filesystem::path& cacheDirectory)
    : m_device(std::move(device))
    , m_cache(m_device, cacheDirectory)
{
}

void Pipelines::save()
{
    const std::lock_guard lock(m_mutex);
    m_cache.save();
}

Pipelines::~Pipelines()
{
    const auto& vk = m_device->vk();
    for (const auto& [key, pipeline] : m_pipelines) {
        vk.vkDestroyPipeline(m_device->handle(), pipeline.handle, nullptr);
    }
    for (const auto& [kinds, layout] : m_layouts) {
        vk.vkDestroyPipelineLayout(m_device->handle(), layout.pipeline, nullptr);
        vk.vkDestroyDescriptorSetLayout(m_device->handle(), layout.set, nullptr);
    }
}

Result<Pipeline> Pipelines::get(std::string_view shader, std::span<const std::uint32_t> constants,
                                std::span<const BindingKind> kinds)
{
    std::string kindText;
    for (const auto kind : kinds) {
        kindText += static_cast<char>(kind);
    }
    Key key { std::string(shader), { constants.begin(), constants.end() }, kindText };
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_pipelines.find(key); found != m_pipelines.end()) {
        return found->second;
    }
    const auto layouts = layout(kindText);
    if (!layouts) {
        return tl::unexpected(layouts.error());
    }
    const auto handle = make(moduleOf(shader, m_device->variant()), constants, layouts->pipeline);
    if (!handle) {
        return tl::unexpected(handle.error());
    }
    const Pipeline pipeline { *handle, layouts->pipeline, layouts->set };
    m_pipelines.emplace(std::move(key), pipeline);
    return pipeline;
}

Result<Pipelines::Layout> Pipelines::layout(const std::string& kinds)
{
    if (const auto found = m_layouts.find(kinds); found != m_layouts.end()) {
        return found->second;
    }
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const char kind : kinds) {
        bindings.push_back({ static_cast<std::uint32_t>(bindings.size()),
                             kind == static_cast<char>(BindingKind::Texels)
                                 ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                 : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr });
    }
    const auto& vk = m_device->vk();
    Layout made;
    VkDescriptorSetLayoutCreateInfo setInfo { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO };
    setInfo.bindingCount = static_cast<std::uint32_t>(bindings.size());
    setInfo.pBindings = bindings.data();
    if (auto done =
            check(vk.vkCreateDescriptorSetLayout(m_device->handle(), &setInfo, nullptr, &made.set),
                  "vkCreateDescriptorSetLayout");
        !done) {
        return tl::unexpected(done.error());
    }
    const VkPushConstantRange push { VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes };
    VkPipelineLayoutCreateInfo info { VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO };
    info.setLayoutCount = 1;
    info.pSetLayouts = &made.set;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &push;
    if (auto done =
            check(vk.vkCreatePipelineLayout(m_device->handle(), &info, nullptr, &made.pipeline),
                  "vkCreatePipelineLayout");
        !done) {
        vk.vkDestroyDescriptorSetLayout(m_device->handle(), made.set, nullptr);
        return tl::unexpected(done.error());
    }
    return m_layouts.emplace(kinds, made).first->second;
}

Result<VkPipeline> Pipelines::make(const std::string& module,
                                   std::span<const std::uint32_t> constants,
                                   VkPipelineLayout layout)
{
    const auto code = shaders::find(module);
    if (code.empty()) {
        return failure(ErrorCode::DeviceFailed, { module, "no such shader in this build" });
    }
    const auto& vk = m_device->vk();
    VkShaderModuleCreateInfo moduleInfo { VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO };
    moduleInfo.codeSize = code.size_bytes();
    moduleInfo.pCode = code.data();
    VkShaderModule shader = VK_NULL_HANDLE;
    if (auto made = check(
            vk.vkCreateShaderModule(m_device->handle(), &moduleInfo, nullptr, &shader), module);
        !made) {
        return tl::unexpected(made.error());
    }
    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t i = 0; i < constants.size(); ++i) {
        entries.push_back({ i, i * 4, 4 });
    }
    const VkSpecializationInfo special { static_cast<std::uint32_t>(entries.size()), entries.data(),
                                         constants.size_bytes(), constants.data() };
    VkComputePipelineCreateInfo info { VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO };
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT; // a dispatch may be some of its workgroups
    info.stage = { VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   nullptr,
                   0,
                   VK_SHADER_STAGE_COMPUTE_BIT,
                   shader,
                   "main",
                   &special };
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto result = vk.vkCreateComputePipelines(m_device->handle(), m_cache.handle(), 1, &info,
                                              nullptr, &pipeline);
    vk.vkDestroyShaderModule(m_device->handle(), shader, nullptr);
    if (result == VK_SUCCESS && pipeline == VK_NULL_HANDLE) {
        result = VK_ERROR_UNKNOWN; // some drivers say so
    }
    if (auto made = check(result, module); !made) {
        return tl::unexpected(made.error());
    }
    return pipeline;
}

} // namespace engine::backend::vulkan
