#include "app/services/device_list.h"

namespace app {

namespace {

using Found = engine::Result<std::vector<ListedDevice>>;

Found listed(const DeviceSource& source)
{
    auto all = source.list();
    if (!all) {
        return tl::make_unexpected(all.error());
    }
    DeviceVerdicts().applyTo(*all);
    const auto uses = engine::backend::deviceUses(*all);
    std::vector<ListedDevice> devices;
    for (std::size_t i = 0; i < all->size(); ++i) {
        devices.push_back({ deviceName(*all, i), (*all)[i], uses[i] });
    }
    return devices;
}

} // namespace

DeviceList::DeviceList(DeviceSource source, QObject* parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_task("vitrine-devices")
{
}

void DeviceList::refresh()
{
    m_task.start([this, source = m_source](const TaskControl& /*control*/) {
        return LatestTask::Delivery([this, found = listed(source)] { deliver(found); });
    });
}

void DeviceList::deliver(const Found& found)
{
    m_isKnown = true;
    m_devices = found ? *found : std::vector<ListedDevice>();
    m_problem = found ? std::nullopt : std::optional(errorMessage(found.error()));
    Q_EMIT changed();
}

} // namespace app
