// Activations and states between a runner's memory and the CPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/runner_memory.h"

#include <cstddef>
#include <memory>
#include <span>

namespace engine::backend::vulkan {

class HostCopies
{
public:
    /// Both must outlive it.
    HostCopies(const RunnerSetup& setup, const RunnerMemory& memory);
    /// What copies of states need, ahead: they must not fail later. Errors: DeviceOutOfMemory.
    Result<void> allocate();

    /// Rows of width(slot) floats without padding. Errors: DeviceOutOfMemory, DeviceLost,
    /// DeviceFailed.
    Result<void> writeSlot(model::Slot slot, std::span<const float> rows);
    Result<void> readSlot(model::Slot slot, std::span<float> rows);
    Result<void> clearStates();
    /// All states, one after the other. A device that fails here fails again at the next run, which
    /// says so.
    void saveStates(std::span<std::byte> out) const;
    void restoreStates(std::span<const std::byte> saved);
    [[nodiscard]] std::uint64_t bytes() const;

private:
    /// Where rows of a slot are on the device; m_rows is large enough for them.
    Result<Range> rangeOf(model::Slot slot, std::size_t floats);
    Result<void> copyRows(const Range& slot, bool toDevice);
    Result<void> copyStates(bool toDevice) const;
    [[nodiscard]] Recorder recorder() const;

    const RunnerSetup& m_setup;
    const RunnerMemory& m_memory;
    std::unique_ptr<Buffer> m_rows; // of slots that another runner writes or reads
    std::unique_ptr<Buffer> m_states; // null where there are none
};

} // namespace engine::backend::vulkan
