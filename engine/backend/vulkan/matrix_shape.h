// Cooperative matrices: what a device multiplies at once, and whether that is worth anything.
// SPDX-License-Identifier: Apache-2.0
//
// VK_KHR_cooperative_matrix came with headers 1.3.255; what is used of it is declared here.
#pragma once

#include "engine/backend/vulkan/api.h"

#include <cstdint>
#include <optional>
#include <span>

namespace engine::backend::vulkan {

inline constexpr const char* kMatrixExtension = "VK_KHR_cooperative_matrix";

/// VkPhysicalDeviceCooperativeMatrixFeaturesKHR.
struct MatrixFeatures
{
    VkStructureType sType = static_cast<VkStructureType>(1000506000);
    void* pNext = nullptr;
    VkBool32 cooperativeMatrix = VK_FALSE;
    VkBool32 cooperativeMatrixRobustBufferAccess = VK_FALSE;
};

/// VkCooperativeMatrixPropertiesKHR: A (M × K) · B (K × N) + C gives a result.
struct MatrixProperties
{
    /// VkComponentTypeKHR
    enum Component : std::uint32_t { Float16 = 0, Float32 = 1 };
    enum Scope : std::uint32_t { Workgroup = 2, Subgroup = 3 };

    VkStructureType sType = static_cast<VkStructureType>(1000506001);
    void* pNext = nullptr;
    std::uint32_t m = 0;
    std::uint32_t n = 0;
    std::uint32_t k = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    std::uint32_t result = 0;
    VkBool32 saturates = VK_FALSE;
    std::uint32_t scope = 0;
};

struct MatrixShape
{
    std::uint32_t m = 0;
    std::uint32_t n = 0;
    std::uint32_t k = 0;
    std::uint32_t lanes = 0; ///< of a subgroup that multiplies, as a rule
    bool operator==(const MatrixShape&) const = default;
};

/// What a driver says of itself.
struct MatrixDriver
{
    VkDriverId driver = VK_DRIVER_ID_MAX_ENUM;
    std::uint32_t deviceId = 0;
    std::uint32_t leastSubgroup = 0; ///< fewest lanes of a subgroup; 0: not said
};

/// The largest shape, halves to floats in a subgroup, that shaders/linear_matrix.comp can use.
/// `lanes` is left out.
[[nodiscard]] std::optional<MatrixShape> bestShape(std::span<const MatrixProperties> shapes);

/// Whether the hardware is there: some drivers report matrices without it and are slow, some are
/// much slower with it.
[[nodiscard]] bool multipliesFast(const MatrixDriver& driver);

/// Of a device whose matrices are fast; nothing: it has none.
[[nodiscard]] std::optional<MatrixShape> matrixShape(VkInstance instance, VkPhysicalDevice device);

/// What must be enabled, to be chained to a new device; `matrices` is the first link.
/// Stays where it is.
struct MatrixFeatureChain
{
    MatrixFeatureChain();
    MatrixFeatureChain(const MatrixFeatureChain&) = delete;
    MatrixFeatureChain& operator=(const MatrixFeatureChain&) = delete;

    MatrixFeatures matrices;
    VkPhysicalDeviceVulkanMemoryModelFeatures memoryModel {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES
    };
    VkPhysicalDeviceShaderFloat16Int8Features arithmetic {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES
    };
};

} // namespace engine::backend::vulkan
