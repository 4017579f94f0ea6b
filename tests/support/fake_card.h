// One device named "A card" for services and view models, made of the CPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_choice.h"
#include "tests/support/failing_device.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tests {

/// Not tested at its first use, since it is of software: chosen by its name alone. The script must
/// outlive it.
[[nodiscard]] inline app::DeviceSource fakeCard(DeviceScript& script,
                                                const std::string& name = "A card")
{
    app::DeviceSource source;
    source.list = [&script, name] {
        engine::backend::DeviceFacts facts;
        facts.name = name;
        facts.driverVersion = script.driverVersion;
        facts.kind = engine::backend::DeviceKind::Software;
        facts.features.memoryBudget = true;
        facts.memoryBytes = script.memory == UINT64_MAX ? 0 : script.memory;
        facts.freeBytes = facts.memoryBytes - std::min(facts.memoryBytes, script.taken.load());
        return engine::Result<std::vector<engine::backend::DeviceFacts>>({ facts });
    };
    source.open = [&script](std::uint32_t, std::span<const std::string> without) {
        script.without.assign(without.begin(), without.end());
        return engine::Result<std::shared_ptr<const engine::backend::Backend>>(
            std::make_shared<FailingDevice>(script));
    };
    return source;
}

} // namespace tests
