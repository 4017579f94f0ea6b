// The GPUs of this machine: what each is, can do, and whether it is used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace engine::backend {

/// What kind of thing computes. In the order in which they are preferred.
enum class DeviceKind { Discrete, Integrated, Virtual, Other, Software };

/// What a device may have and ours makes use of; nothing of it is demanded.
struct DeviceFeatures
{
    bool subgroups = false; ///< sums over a subgroup in compute shaders
    bool float16 = false; ///< arithmetic
    bool storage16 = false;
    bool storage8 = false;
    bool integerDot = false; ///< 4 × 8 bits, signed
    bool cooperativeMatrix = false;
    bool hostImport = false; ///< memory of the process as memory of the device
    bool memoryBudget = false;
    bool timestamps = false;
};

struct DeviceFacts
{
    std::uint32_t index = 0; ///< N of "vulkan:N"
    std::string name;
    std::string driver; ///< name and version as the driver gives them
    std::string apiVersion; ///< "1.3.230"
    DeviceKind kind = DeviceKind::Other;
    std::uint32_t vendorId = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t driverVersion = 0;
    std::array<std::uint8_t, 16> cacheUuid {}; ///< changes with the driver
    std::uint64_t memoryBytes = 0; ///< of the largest heap of its own
    std::uint64_t freeBytes = 0; ///< of that heap for this process, as far as known
    bool unified = false; ///< its memory is the machine's
    std::uint32_t subgroupSize = 1;
    DeviceFeatures features;

    // limits that the engine works within
    std::uint64_t maxStorageRange = 0; ///< bytes of one binding
    std::uint64_t maxTexels = 0; ///< elements of one texel buffer
    std::uint64_t offsetAlignment = 0; ///< of bindings, the strictest of all
    std::uint64_t importAlignment = 0; ///< of imported memory; 0 where it can't be
    std::uint32_t maxInvocations = 0; ///< of a workgroup
    std::uint32_t maxGroups = 0; ///< of a dispatch, on any axis
    std::uint32_t sharedBytes = 0;
    double timestampPeriod = 0; ///< nanoseconds

    std::string unfit; ///< why it can't be used; empty where it can
};

/// All devices that Vulkan knows, in the order of their numbers. Errors: NoVulkan.
[[nodiscard]] Result<std::vector<DeviceFacts>> devices();

/// The device of that number. What its driver compiles is kept in `cacheDirectory`, if given.
/// Errors: NoVulkan, NoSuchDevice, DeviceUnfit, DeviceFailed.
[[nodiscard]] Result<std::shared_ptr<const Backend>>
openDevice(std::uint32_t index, const std::string& cacheDirectory = {});

} // namespace engine::backend
