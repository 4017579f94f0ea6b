#include "engine/backend/vulkan/staging.h"

#include <algorithm>
#include <cstring>

namespace engine::backend::vulkan {

Staging::Staging(std::shared_ptr<Device> device, std::stop_token stop)
    : m_device(std::move(device))
    , m_stop(std::move(stop))
    , m_pipelines(m_device)
    , m_views(m_device)
{
}

Result<void> Staging::write(const Range& to, std::span<const std::byte> bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        if (m_stop.stop_requested()) {
            return failure(ErrorCode::Cancelled);
        }
        const auto rest = bytes.subspan(done);
        const auto offset = to.offset + done;
        if (const auto mapped = to.buffer->mapped(); !mapped.empty()) {
            const auto count = std::min(kBytes, rest.size());
            std::memcpy(mapped.data() + offset, rest.data(), count);
            done += count;
            continue;
        }
        auto& slot = m_slots[m_current];
        if (auto ready = open(slot); !ready) {
            return ready;
        }
        const auto count = std::min(kBytes - slot.used, rest.size());
        std::memcpy(slot.buffer->mapped().data() + slot.used, rest.data(), count);
        slot.recorder->copy({ slot.buffer.get(), slot.used, count }, { to.buffer, offset, count });
        slot.used += count;
        done += count;
        if (slot.used == kBytes) {
            if (auto started = start(); !started) {
                return started;
            }
        }
    }
    return {};
}

/// Makes a slot ready for more, when the device is done with what it had.
Result<void> Staging::open(Slot& slot)
{
    if (slot.recorder) {
        return {};
    }
    if (auto ended = slot.submission.wait(); !ended) {
        return ended;
    }
    if (!slot.buffer) {
        auto made = Buffer::create(m_device, kBytes, BufferUse::Upload);
        if (!made) {
            return tl::unexpected(made.error());
        }
        slot.buffer = std::move(*made);
    }
    slot.recorder = std::make_unique<Recorder>(m_device, m_pipelines, m_views);
    slot.used = 0;
    return {};
}

/// Sends the current slot on its way.
Result<void> Staging::start()
{
    auto& slot = m_slots[m_current];
    auto program = std::exchange(slot.recorder, nullptr)->finish();
    if (!program) {
        return tl::unexpected(program.error());
    }
    slot.program = std::move(*program);
    auto started = m_device->start(slot.program->parts());
    if (!started) {
        return tl::unexpected(started.error());
    }
    slot.submission = std::move(*started);
    m_current = (m_current + 1) % m_slots.size();
    return {};
}

Result<void> Staging::finish()
{
    if (m_slots[m_current].recorder) {
        if (auto started = start(); !started) {
            return started;
        }
    }
    Result<void> result;
    for (auto& slot : m_slots) {
        if (auto ended = slot.submission.wait(); !ended && result) {
            result = ended;
        }
    }
    return result;
}

} // namespace engine::backend::vulkan
