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

DeviceSource OpenDevices::source()
{
    DeviceSource source;
    source.list = [this] { return list(); };
    source.open = [this](std::uint32_t number, std::span<const std::string> without) {
        return open(number, without);
    };
    return source;
}

bool OpenDevices::forget(const Backend* device)
{
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
    m_identities.clear();
    for (const auto& facts : all ? *all : std::vector<DeviceFacts>()) {
        m_identities[facts.index] = engine::backend::deviceIdentity(facts);
    }
    return all;
}

Result<OpenDevices::Device> OpenDevices::open(std::uint32_t number,
                                              std::span<const std::string> without)
{
    Key key { number, m_identities[number], { without.begin(), without.end() } };
    std::erase_if(m_open, [](const Entry& entry) { return entry.device.expired(); });
    const auto found = std::ranges::find(m_open, key, &Entry::key);
    if (found != m_open.end()) {
        found->isGivenAgain = true;
        return found->device.lock();
    }
    auto opened = m_source.open(number, without);
    if (opened) {
        m_open.push_back({ std::move(key), *opened });
    }
    return opened;
}

} // namespace app
