#include "engine/backend/vulkan/instance.h"

#include "engine/backend/vulkan/check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace engine::backend::vulkan {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

bool wantsValidation()
{
    const char* wanted = std::getenv("VITRINE_VULKAN_VALIDATION");
    return wanted && std::string_view(wanted) == "1";
}

bool hasLayer(std::string_view name)
{
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(layers, [&](const auto& l) { return name == l.layerName; });
}

/// Volk keeps the loader's functions in variables of its own: found once for the process.
VkResult findLoader()
{
    static const VkResult found = volkInitialize();
    return found;
}

std::mutex& openMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace

Result<std::shared_ptr<Instance>> Instance::open()
{
    // volk's function pointers are of the process: whoever makes another instance writes them. It
    // stays to the end and beyond: unloading drivers while a process ends is a known way to crash.
    static auto* const kept = new std::shared_ptr<Instance>;
    const std::lock_guard lock(openMutex());
    if (!*kept) {
        auto made = create();
        if (!made) {
            return made;
        }
        *kept = std::move(*made);
    }
    return *kept;
}

Result<std::shared_ptr<Instance>> Instance::create()
{
    if (findLoader() != VK_SUCCESS) {
        return failure(ErrorCode::NoVulkan, { "no Vulkan loader was found" });
    }
    VkApplicationInfo application { VK_STRUCTURE_TYPE_APPLICATION_INFO };
    application.pApplicationName = "Vitrine";
    application.apiVersion = std::min(volkGetInstanceVersion(), VK_API_VERSION_1_3);
    if (application.apiVersion < VK_API_VERSION_1_1) {
        return failure(ErrorCode::NoVulkan, { "the loader knows only Vulkan 1.0" });
    }
    VkInstanceCreateInfo info { VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO };
    info.pApplicationInfo = &application;
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkValidationFeatureEnableEXT synchronization =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features { VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT };
    const bool validates = wantsValidation() && hasLayer(kValidationLayer);
    if (validates) {
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &kValidationLayer;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &extension;
        features.enabledValidationFeatureCount = 1;
        features.pEnabledValidationFeatures = &synchronization;
        info.pNext = &features;
    }
    auto instance = std::shared_ptr<Instance>(new Instance);
    if (const auto made = vkCreateInstance(&info, nullptr, &instance->m_instance);
        made != VK_SUCCESS) {
        return failure(ErrorCode::NoVulkan, { "vkCreateInstance gave " + resultName(made) });
    }
    volkLoadInstanceOnly(instance->m_instance);
    if (validates) {
        VkDebugUtilsMessengerCreateInfoEXT messenger {
            VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
        };
        messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
            | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
        messenger.pfnUserCallback = heard;
        messenger.pUserData = instance.get();
        vkCreateDebugUtilsMessengerEXT(instance->m_instance, &messenger, nullptr,
                                       &instance->m_messenger);
    }
    return instance;
}

Instance::~Instance()
{
    if (!m_instance) {
        return; // never made: `open` may hold the lock
    }
    const std::lock_guard lock(openMutex());
    if (m_messenger) {
        vkDestroyDebugUtilsMessengerEXT(m_instance, m_messenger, nullptr);
    }
    vkDestroyInstance(m_instance, nullptr);
}

VkBool32 VKAPI_PTR Instance::heard(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                   VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* self)
{
    auto& instance = *static_cast<Instance*>(self);
    const std::lock_guard lock(instance.m_mutex);
    instance.m_messages.emplace_back(data->pMessage);
    return VK_FALSE;
}

std::vector<std::string> Instance::validationMessages() const
{
    const std::lock_guard lock(m_mutex);
    return m_messages;
}

std::vector<VkPhysicalDevice> Instance::physicalDevices() const
{
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(m_instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(m_instance, &count, devices.data());
    devices.resize(count);
    return devices;
}

} // namespace engine::backend::vulkan
