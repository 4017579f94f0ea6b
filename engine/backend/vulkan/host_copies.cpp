#include "engine/backend/vulkan/host_copies.h"

#include <algorithm>
#include <cstring>

namespace engine::backend::vulkan {

HostCopies::HostCopies(const RunnerSetup& setup, const RunnerMemory& memory)
    : m_setup(setup)
    , m_memory(memory)
{
}

Result<void> HostCopies::allocate()
{
    const auto bytes = m_setup.graph.stateBytes();
    if (bytes == 0) {
        return {};
    }
    auto made = Buffer::create(m_setup.device, bytes, BufferUse::Readback);
    if (!made) {
        return tl::unexpected(made.error());
    }
    m_states = std::move(*made);
    return {};
}

Recorder HostCopies::recorder() const
{
    return Recorder(m_setup.device, *m_setup.pipelines, m_memory.views());
}

Result<void> HostCopies::clearStates()
{
    if (!m_states) {
        return {};
    }
    auto clearing = recorder();
    for (const auto& buffer : m_memory.states().buffers()) {
        clearing.clear({ buffer.get(), 0, buffer->bytes() });
    }
    return clearing.run();
}

Result<void> HostCopies::copyStates(bool toDevice) const
{
    auto copying = recorder();
    VkDeviceSize offset = 0;
    for (const auto& state : m_memory.states().ranges()) {
        if (state.bytes == 0) {
            continue; // of another part of the graph
        }
        const Range copy { m_states.get(), offset, state.bytes };
        copying.copy(toDevice ? copy : state, toDevice ? state : copy);
        offset += state.bytes;
    }
    return copying.run();
}

void HostCopies::saveStates(std::span<std::byte> out) const
{
    if (!out.empty() && copyStates(false)) {
        std::ranges::copy(m_states->mapped().first(out.size()), out.begin());
    }
}

void HostCopies::restoreStates(std::span<const std::byte> saved)
{
    if (!saved.empty()) {
        std::ranges::copy(saved, m_states->mapped().begin());
        (void)copyStates(true);
    }
}

Result<Range> HostCopies::rangeOf(model::Slot slot, std::size_t floats)
{
    const auto width = m_setup.graph.slotWidths[static_cast<std::size_t>(slot)];
    auto range = m_memory.slots()[static_cast<std::size_t>(slot)];
    if (!m_rows || m_rows->bytes() < range.bytes) {
        m_rows.reset();
        auto made = Buffer::create(m_setup.device, range.bytes, BufferUse::Readback);
        if (!made) {
            return tl::unexpected(made.error());
        }
        m_rows = std::move(*made);
    }
    range.bytes = floats / width * padded(width) * sizeof(float);
    return range;
}

Result<void> HostCopies::copyRows(const Range& slot, bool toDevice)
{
    const Range copy { m_rows.get(), 0, slot.bytes };
    auto copying = recorder();
    copying.copy(toDevice ? copy : slot, toDevice ? slot : copy);
    return copying.run();
}

Result<void> HostCopies::writeSlot(model::Slot slot, std::span<const float> rows)
{
    const auto range = rangeOf(slot, rows.size());
    if (!range) {
        return tl::unexpected(range.error());
    }
    const auto width = m_setup.graph.slotWidths[static_cast<std::size_t>(slot)];
    auto* to = reinterpret_cast<float*>(m_rows->mapped().data());
    std::memset(to, 0, range->bytes); // the padding
    for (std::size_t from = 0; from < rows.size(); from += width, to += padded(width)) {
        std::ranges::copy(rows.subspan(from, width), to);
    }
    return copyRows(*range, true);
}

Result<void> HostCopies::readSlot(model::Slot slot, std::span<float> rows)
{
    const auto range = rangeOf(slot, rows.size());
    if (!range) {
        return tl::unexpected(range.error());
    }
    if (auto done = copyRows(*range, false); !done) {
        return done;
    }
    const auto width = m_setup.graph.slotWidths[static_cast<std::size_t>(slot)];
    const auto* from = reinterpret_cast<const float*>(m_rows->mapped().data());
    for (std::size_t to = 0; to < rows.size(); to += width, from += padded(width)) {
        std::copy_n(from, width, rows.begin() + static_cast<std::ptrdiff_t>(to));
    }
    return {};
}

std::uint64_t HostCopies::bytes() const
{
    return (m_rows ? m_rows->bytes() : 0) + (m_states ? m_states->bytes() : 0);
}

} // namespace engine::backend::vulkan
