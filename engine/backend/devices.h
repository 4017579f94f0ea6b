// The GPUs of this machine: what each is, can do, and whether it is used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// A feature by the name that VITRINE_VULKAN_WITHOUT and verdicts have for it.
struct NamedFeature
{
    std::string_view name;
    bool DeviceFeatures::*isThere;
    std::string_view words; ///< for people
};

/// Those that can be left out. What chooses other shaders comes first, the rarest in front: the
/// first three of those that are there choose how prompts are multiplied, the first of all wins.
[[nodiscard]] std::span<const NamedFeature> namedFeatures();

/// For people: "integer dot products" for "dot".
[[nodiscard]] std::string_view featureWords(std::string_view name);

/// A feature that is there but not used.
struct LeftOut
{
    std::string feature; ///< see NamedFeature
    /// What the device computes wrongly with it: "linear with Q4_0"; empty: it is slower with it.
    std::string wrong;
    bool operator==(const LeftOut&) const = default;
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
    /// What it computes wrongly ("linear with Q4_0"), as its self-test found; empty: nothing known.
    std::string distrusted;
    /// With these it computes wrongly, without them rightly; or it is faster without them.
    std::vector<LeftOut> leftOut;
};

/// Whether a device is used.
enum class DeviceUse {
    Default, ///< where nothing is asked for
    Spare, ///< could be, but another one is better
    Software, ///< only when asked for
    Distrusted, ///< it computes wrongly
    Unfit,
};

[[nodiscard]] constexpr bool isUsable(DeviceUse use)
{
    return use != DeviceUse::Distrusted && use != DeviceUse::Unfit;
}

/// What is asked for: "auto", "cpu", "vulkan" or "vulkan:N".
struct DeviceWish
{
    enum class Kind { Auto, Cpu, Vulkan, Number };
    Kind kind = Kind::Auto;
    std::uint32_t number = 0; ///< of Kind::Number
    bool operator==(const DeviceWish&) const = default;
};

/// Nothing for any other text.
[[nodiscard]] std::optional<DeviceWish> parseDeviceWish(std::string_view text);

/// The number of the device that is used among `all`; nothing: the CPU. Auto takes real GPUs alone,
/// discrete ones first; Vulkan takes what there is, a software device last. Errors: NoVulkan,
/// NoSuchDevice, DeviceUnfit, DeviceUntrusted (none where Auto or Cpu is wished for).
[[nodiscard]] Result<std::optional<std::uint32_t>> chooseDevice(const DeviceWish& wish,
                                                                std::span<const DeviceFacts> all);

/// Of each.
[[nodiscard]] std::vector<DeviceUse> deviceUses(std::span<const DeviceFacts> all);

/// English, without a capital or a full stop: "used by default".
[[nodiscard]] std::string useReason(const DeviceFacts& facts, DeviceUse use);

/// "discrete", "integrated", "virtual", "other", "software".
[[nodiscard]] std::string_view deviceKindName(DeviceKind kind);

/// The same for a device only while neither it nor its driver changes.
[[nodiscard]] std::string deviceIdentity(const DeviceFacts& facts);

/// All devices that Vulkan knows, in the order of their numbers. Errors: NoVulkan.
[[nodiscard]] Result<std::vector<DeviceFacts>> devices();

/// The names of what is left out.
[[nodiscard]] std::vector<std::string> namesOf(std::span<const LeftOut> leftOut);

/// The device of that number. What its driver compiles is kept in `cacheDirectory`, if given;
/// features named in `without` stay unused. Errors: NoVulkan, NoSuchDevice, DeviceUnfit,
/// DeviceFailed.
[[nodiscard]] Result<std::shared_ptr<const Backend>>
openDevice(std::uint32_t index, const std::string& cacheDirectory = {},
           std::span<const std::string> without = {});

} // namespace engine::backend
