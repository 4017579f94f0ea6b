// Devices that are open already, so that what they hold of a model is found again. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_choice.h"
#include "engine/backend/backend.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace app {

/// Keeps no device open: one is given again as long as somebody else uses it, unless its driver or
/// the features that are left out changed meanwhile. Thread-safe.
class OpenDevices
{
public:
    explicit OpenDevices(DeviceSource source = {});
    OpenDevices(const OpenDevices&) = delete;
    OpenDevices& operator=(const OpenDevices&) = delete;

    /// Lists as the source does, which must come before anything is opened.
    [[nodiscard]] static DeviceSource sourceOf(std::shared_ptr<OpenDevices> devices);
    /// Never gives this one again. True where it had been given more than once.
    bool forget(const engine::backend::Backend* device);

private:
    using Device = std::shared_ptr<const engine::backend::Backend>;
    /// Number, identity, features that are left out.
    using Key = std::tuple<std::uint32_t, std::string, std::vector<std::string>>;
    struct Entry
    {
        Key key;
        std::weak_ptr<const engine::backend::Backend> device;
        bool isGivenAgain = false;
    };

    engine::Result<std::vector<engine::backend::DeviceFacts>> list();
    engine::Result<Device> open(std::uint32_t number, std::span<const std::string> without);

    DeviceSource m_source;
    std::mutex m_mutex; // also while one is opened: who asks for the same gets it then
    std::map<std::uint32_t, std::string> m_identities; // by number, as listed last
    std::vector<Entry> m_open;
};

} // namespace app
