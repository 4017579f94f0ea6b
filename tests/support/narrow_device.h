// Devices whose bindings are so small that weights and caches need several, against the CPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/device_bench.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tests {

/// Bytes of a binding.
inline constexpr std::uint64_t kNarrowRange = 8192;

/// A device with such bindings that leaves these features unused as well.
[[nodiscard]] inline DevicePointer narrowDevice(const QByteArray& without)
{
    constexpr const char* without_ = "VITRINE_VULKAN_WITHOUT";
    const bool wasSet = qEnvironmentVariableIsSet(without_);
    const auto before = qgetenv(without_);
    qputenv(without_, before + "," + without);
    auto device = openNarrow(kNarrowRange);
    if (wasSet) {
        qputenv(without_, before);
    } else {
        qunsetenv(without_);
    }
    return device;
}

/// One worked with in each of the ways that there are, by name. A null one fails the test.
[[nodiscard]] inline std::map<QString, DevicePointer> narrowDevices()
{
    return { { "texels", narrowDevice({}) },
             { "storage", narrowDevice("texels") },
             { "as a GPU", narrowDevice("software") },
             { "plain", narrowDevice("subgroups") } };
}

/// Device and CPU agree to `tolerance` of the largest number, for all rows at once and one by one.
inline void compareNarrow(const DeviceBench& bench, const engine::backend::Backend& device,
                          std::size_t rows, double tolerance)
{
    auto expected = bench.run(engine::backend::cpuBackend(), rows, rows);
    float largest = 1;
    for (const float x : expected) {
        largest = std::max(largest, std::fabs(x));
    }
    const auto scaled = [&](std::vector<float> values) {
        for (auto& x : values) {
            x /= largest;
        }
        return values;
    };
    expected = scaled(std::move(expected));
    for (const auto chunk : { rows, std::size_t(1) }) {
        const auto difference = largestDifference(scaled(bench.run(device, rows, chunk)), expected);
        QVERIFY2(
            difference <= tolerance,
            qPrintable(
                QString("%1 rows, %2 at once: off by %3").arg(rows).arg(chunk).arg(difference)));
    }
    const auto complaints = device.complaints();
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
}

} // namespace tests
