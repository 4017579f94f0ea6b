// The devices of this machine, for a page that shows them: found on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_choice.h"
#include "app/services/error_message.h"
#include "app/services/latest_task.h"

#include <QObject>

#include <optional>
#include <vector>

namespace app {

/// One device and whether it is used.
struct ListedDevice
{
    std::string name; ///< see deviceName
    engine::backend::DeviceFacts facts;
    engine::backend::DeviceUse use = engine::backend::DeviceUse::Spare;
};

/// Lives on the GUI thread; no call waits.
class DeviceList : public QObject
{
    Q_OBJECT

public:
    explicit DeviceList(DeviceSource source = {}, QObject* parent = nullptr);

    /// Asks the drivers; ends with `changed`.
    void refresh();
    /// False before the first answer.
    [[nodiscard]] bool isKnown() const { return m_isKnown; }
    [[nodiscard]] const std::vector<ListedDevice>& devices() const { return m_devices; }
    /// Why there is none.
    [[nodiscard]] const std::optional<ErrorMessage>& problem() const { return m_problem; }

Q_SIGNALS:
    void changed();

private:
    void deliver(const engine::Result<std::vector<ListedDevice>>& found);

    DeviceSource m_source;
    std::vector<ListedDevice> m_devices;
    std::optional<ErrorMessage> m_problem;
    bool m_isKnown = false;
    LatestTask m_task; // last: joined first
};

} // namespace app
