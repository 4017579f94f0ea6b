// Copies bytes of the process into buffers of the device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recorder.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>

namespace engine::backend::vulkan {

/// A ring of buffers that both sides see: while the device copies from one, the next is filled.
/// Buffers that the CPU can reach are written directly. Whoever drops it waits for what is on its
/// way; the targets must live until then.
class Staging
{
public:
    /// Bytes of one buffer of the ring.
    static constexpr std::size_t kBytes = std::size_t(8) << 20;

    Staging(std::shared_ptr<Device> device, std::stop_token stop);

    /// `bytes` to the beginning of `to`, some time before `finish` ends. Errors: Cancelled (between
    /// two pieces of kBytes), DeviceOutOfMemory, DeviceLost, DeviceFailed.
    Result<void> write(const Range& to, std::span<const std::byte> bytes);
    /// Waits until all is there. Errors: DeviceLost, DeviceFailed.
    Result<void> finish();

private:
    struct Slot
    {
        std::unique_ptr<Buffer> buffer;
        std::unique_ptr<Recorder> recorder; // of copies that were not started yet
        std::unique_ptr<Program> program;
        Submission submission; // goes first
        std::size_t used = 0;
    };

    Result<void> open(Slot& slot);
    Result<void> start();

    std::shared_ptr<Device> m_device;
    std::stop_token m_stop;
    Pipelines m_pipelines; // stay empty, as do the views: copies need none
    Views m_views;
    std::array<Slot, 3> m_slots;
    std::size_t m_current = 0;
};

} // namespace engine::backend::vulkan
