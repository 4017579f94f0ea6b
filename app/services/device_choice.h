// The device that a model runs on: listed, chosen, tested at its first use, opened. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_verdicts.h"
#include "engine/backend/backend.h"
#include "engine/backend/devices.h"
#include "engine/base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

struct ChosenDevice
{
    std::shared_ptr<const engine::backend::Backend> backend; ///< null: the CPU
    std::string id = "cpu"; ///< or "vulkan:0"
    std::string name; ///< see deviceName; empty: the CPU
    engine::backend::DeviceFacts facts; ///< of the backend's device
    /// Why a better one is not used: its driver failed, or it failed its self-test.
    std::optional<engine::Error> passedOver;
};

/// Where devices come from; tests bring their own.
struct DeviceSource
{
    std::function<engine::Result<std::vector<engine::backend::DeviceFacts>>()> list =
        engine::backend::devices;
    std::function<engine::Result<std::shared_ptr<const engine::backend::Backend>>(
        std::uint32_t, std::span<const std::string> without)>
        open = [](std::uint32_t number, std::span<const std::string> without) {
            return engine::backend::openDevice(number, cacheFolder().string(), without);
        };
};

/// Whether a GPU that was never tested with its driver is tested before it is given away. Without,
/// it may only be asked what it is.
enum class FirstUse { Test, Trust };

/// A GPU that was never tested with its driver is tested first, which takes seconds: `testing`
/// tells the fraction done. Features with which it computes wrongly are left out. Software devices,
/// which nobody gets unasked, are tested by `vitrine-cli selftest` alone. Auto and Cpu end with the
/// CPU at worst. Errors: those of chooseDevice and openDevice, Cancelled.
[[nodiscard]] engine::Result<ChosenDevice>
chosenDevice(const engine::backend::DeviceWish& wish, DeviceVerdicts& verdicts,
             std::stop_token stop = {}, const std::function<void(double)>& testing = {},
             const DeviceSource& source = {}, FirstUse firstUse = FirstUse::Test);

/// As chosenDevice for a choice that was kept: "auto", "cpu" or a name that deviceName gives. What
/// can't be used gives way to another device or the CPU, and `passedOver` says why. Errors:
/// Cancelled.
[[nodiscard]] engine::Result<ChosenDevice>
preferredDevice(const std::string& name, DeviceVerdicts& verdicts, std::stop_token stop = {},
                const std::function<void(double)>& testing = {}, const DeviceSource& source = {},
                FirstUse firstUse = FirstUse::Test);

/// The device's own name, with " #2" behind it for the second of the same name. Numbers change with
/// drivers and plugged cards.
[[nodiscard]] std::string deviceName(std::span<const engine::backend::DeviceFacts> all,
                                     std::size_t index);

/// Of this machine, in bytes; 0 where it is unknown.
[[nodiscard]] std::uint64_t machineMemory();

/// "vulkan:0"
[[nodiscard]] std::string deviceId(std::uint32_t number);

} // namespace app
