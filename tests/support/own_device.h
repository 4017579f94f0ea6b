// A Vulkan device with facts that a test changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"

#include <QtGlobal>

#include <cstdint>
#include <functional>
#include <memory>

namespace tests {

/// A device of the test's own, of which it may change the facts first. What the validation layer
/// says is heard until the instance goes, so also about what was not destroyed with the device.
struct OwnDevice
{
    explicit OwnDevice(const std::function<void(engine::backend::DeviceFacts&)>& change = {})
    {
        qputenv("VITRINE_VULKAN_VALIDATION", "1");
        auto opened = engine::backend::vulkan::Instance::open();
        if (!opened) {
            return;
        }
        instance = *opened;
        std::uint32_t index = 0;
        for (auto* physical : instance->physicalDevices()) {
            auto facts = instance->facts(physical, index++);
            if (facts.unfit.empty()) {
                if (change) {
                    change(facts);
                }
                device = engine::backend::vulkan::Device::open(instance, physical, facts)
                             .value_or(nullptr);
                return;
            }
        }
    }

    std::shared_ptr<engine::backend::vulkan::Instance> instance;
    std::shared_ptr<engine::backend::vulkan::Device> device;
};

} // namespace tests
