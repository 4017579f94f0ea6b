#include "app/services/open_devices.h"

#include <algorithm>
#include <utility>

namespace app {

using engine::Result;
using engine::backend::Backend;
using engine::backend::DeviceFacts;

OpenDevices::OpenDevices(DeviceSource source)
    : m_source(std::move(source))
{
}

DeviceSource OpenDevices::sourceOf(std::shared_ptr<OpenDevices> devices)
{
    DeviceSource source;
    source.list = [devices] { return devices->list(); };
    source.open = [devices = std::move(devices)](std::uint32_t number,
                                                 std::span<const std::string> without) {
        return devices->open(number, without);
    };
    return source;
}

bool OpenDevices::forget(const Backend* device)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find_if(
        m_open, [&](const Entry& entry) { return entry.device.lock().get() == device; });
    if (found == m_open.end()) {
        return false;
    }
    const bool wasGivenAgain = found->isGivenAgain;
    m_open.erase(found);
    return wasGivenAgain;
}

Result<std::vector<DeviceFacts>> OpenDevices::list()
{
    auto all = m_source.list();
    const std::lock_guard lock(m_mutex);
    m_identities.clear();
    for (const auto& facts : all ? *all : std::vector<DeviceFacts>()) {
        m_identities[facts.index] = engine::backend::deviceIdentity(facts);
    }
    return all;
}

Result<OpenDevices::Device> OpenDevices::open(std::uint32_t number,
                                              std::span<const std::string> without)
{
    const std::lock_guard lock(m_mutex);
    Key key { number, m_identities[number], { without.begin(), without.end() } };
    std::erase_if(m_open, [](const Entry& entry) { return entry.device.expired(); });
    const auto found = std::ranges::find(m_open, key, &Entry::key);
    // its last user may let it go just now
    if (auto device = found == m_open.end() ? nullptr : found->device.lock()) {
        found->isGivenAgain = true;
        return device;
    }
    auto opened = m_source.open(number, without);
    if (opened) {
        m_open.push_back({ std::move(key), *opened });
    }
    return opened;
}

} // namespace app
