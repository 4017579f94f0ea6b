#include "engine/backend/vulkan/matrix_shape.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace engine::backend::vulkan {

namespace {

/// VkPhysicalDeviceCooperativeMatrixPropertiesKHR.
struct MatrixStages
{
    VkStructureType sType = static_cast<VkStructureType>(1000506002);
    void* pNext = nullptr;
    VkShaderStageFlags stages = 0;
};

using ListShapes = VkResult(VKAPI_PTR*)(VkPhysicalDevice, std::uint32_t*, MatrixProperties*);

bool isIn(std::uint32_t x, std::uint32_t first, std::uint32_t last)
{
    return x >= first && x <= last;
}

/// Turing chips without matrix hardware: TU117 and TU116 (GTX 16…, MX 450, T400 … T1200).
bool isSmallTuring(std::uint32_t deviceId)
{
    return isIn(deviceId, 0x1F80, 0x1FFF) || isIn(deviceId, 0x2180, 0x21FF);
}

bool knowsMatrices(VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties properties {};
    vkGetPhysicalDeviceProperties(device, &properties);
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    // from 1.3 on the memory model and subgroups of several sizes are no extensions
    return properties.apiVersion >= VK_API_VERSION_1_3
        && std::ranges::any_of(extensions, [](const auto& extension) {
               return std::string_view(kMatrixExtension) == extension.extensionName;
           });
}

/// Whether all of it can be enabled and used in compute shaders.
bool hasFeatures(VkPhysicalDevice device)
{
    MatrixFeatureChain chain;
    VkPhysicalDeviceFeatures2 features { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                         &chain.matrices };
    chain.matrices.cooperativeMatrix = VK_FALSE;
    chain.memoryModel.vulkanMemoryModel = VK_FALSE;
    chain.arithmetic.shaderFloat16 = VK_FALSE;
    vkGetPhysicalDeviceFeatures2(device, &features);
    MatrixStages stages;
    VkPhysicalDeviceProperties2 properties { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             &stages };
    vkGetPhysicalDeviceProperties2(device, &properties);
    return chain.matrices.cooperativeMatrix && chain.memoryModel.vulkanMemoryModel
        && chain.arithmetic.shaderFloat16 && (stages.stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
}

std::vector<MatrixProperties> shapes(VkInstance instance, VkPhysicalDevice device)
{
    const auto list = reinterpret_cast<ListShapes>(
        vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
    std::uint32_t count = 0;
    if (!list || list(device, &count, nullptr) != VK_SUCCESS) {
        return {};
    }
    std::vector<MatrixProperties> all(count);
    if (list(device, &count, all.data()) < VK_SUCCESS) {
        return {};
    }
    all.resize(count);
    return all;
}

} // namespace

MatrixFeatureChain::MatrixFeatureChain()
{
    matrices.cooperativeMatrix = VK_TRUE;
    matrices.pNext = &memoryModel;
    memoryModel.vulkanMemoryModel = VK_TRUE;
    memoryModel.pNext = &arithmetic;
    arithmetic.shaderFloat16 = VK_TRUE;
}

std::optional<MatrixShape> bestShape(std::span<const MatrixProperties> shapes)
{
    constexpr std::uint32_t most = 32; // a share of rows or tokens
    constexpr std::uint32_t depth = 64; // DEPTH and PIECE of the shader
    constexpr std::uint32_t piece = 8;
    std::optional<MatrixShape> best;
    for (const auto& shape : shapes) {
        const bool isOurs = shape.a == MatrixProperties::Float16
            && shape.b == MatrixProperties::Float16 && shape.c == MatrixProperties::Float32
            && shape.result == MatrixProperties::Float32 && !shape.saturates
            && shape.scope == MatrixProperties::Subgroup;
        const bool fits = shape.m != 0 && most % shape.m == 0 && shape.n != 0 && most % shape.n == 0
            && shape.k != 0 && shape.k % piece == 0 && depth % shape.k == 0;
        if (isOurs && fits
            && (!best || shape.m * shape.n * shape.k > best->m * best->n * best->k)) {
            best = MatrixShape { shape.m, shape.n, shape.k };
        }
    }
    return best;
}

bool multipliesFast(const MatrixDriver& driver)
{
    constexpr std::uint32_t intelXe2Subgroup = 16; // those before it have subgroups of 8
    constexpr std::uint32_t llvmpipeSubgroup = 8; // Mesa 26.2 crashes where it is 16
    switch (driver.driver) {
    case VK_DRIVER_ID_NVIDIA_PROPRIETARY:
        return !isSmallTuring(driver.deviceId);
    case VK_DRIVER_ID_MESA_RADV: // reports what RDNA 3 and later have; AMD's own drivers more
        return true;
    case VK_DRIVER_ID_MESA_LLVMPIPE: // not fast, but right: for tests
        return driver.leastSubgroup == llvmpipeSubgroup;
    case VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA:
    case VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS:
        return driver.leastSubgroup >= intelXe2Subgroup;
    default:
        return false;
    }
}

std::optional<MatrixShape> matrixShape(VkInstance instance, VkPhysicalDevice device)
{
    if (!knowsMatrices(device)) {
        return std::nullopt;
    }
    VkPhysicalDeviceSubgroupSizeControlProperties sizes {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES
    };
    VkPhysicalDeviceSubgroupProperties subgroup {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &sizes
    };
    VkPhysicalDeviceDriverProperties driver { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
                                              &subgroup };
    VkPhysicalDeviceProperties2 properties { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             &driver };
    vkGetPhysicalDeviceProperties2(device, &properties);
    if (!multipliesFast({ driver.driverID, properties.properties.deviceID, sizes.minSubgroupSize })
        || !hasFeatures(device)) {
        return std::nullopt;
    }
    auto shape = bestShape(shapes(instance, device));
    if (shape) {
        // Intel's drivers report the largest subgroup and use the smallest here
        constexpr std::uint32_t intel = 0x8086;
        shape->lanes =
            properties.properties.vendorID == intel ? sizes.minSubgroupSize : subgroup.subgroupSize;
    }
    return shape;
}

} // namespace engine::backend::vulkan
