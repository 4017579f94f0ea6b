// What self-tests of devices found, kept from run to run in the cache folder. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/devices.h"
#include "engine/backend/examination.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace app {

/// XDG_CACHE_HOME/vitrine; not made here.
[[nodiscard]] std::filesystem::path cacheFolder();

/// Used by one thread at a time; several processes may share the file. A file that is damaged or of
/// another version of the shaders counts as none; where it can't be written, verdicts hold for this
/// object alone.
class DeviceVerdicts
{
public:
    explicit DeviceVerdicts(std::filesystem::path file = cacheFolder() / "devices.json");

    /// Of a device with its driver; nothing where it was never tested.
    [[nodiscard]] std::optional<engine::backend::DeviceVerdict>
    find(const engine::backend::DeviceFacts& device) const;
    void keep(const engine::backend::DeviceFacts& device,
              const engine::backend::DeviceVerdict& verdict);
    /// Says what is known of each.
    void applyTo(std::vector<engine::backend::DeviceFacts>& devices) const;

private:
    using Table = std::map<std::string, engine::backend::DeviceVerdict>;
    [[nodiscard]] Table read() const;
    void write() const;

    std::filesystem::path m_file;
    Table m_verdicts; // by identity of the device
};

} // namespace app
