// A runner that lets another one do everything; tests change what they are about.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"

#include <memory>
#include <utility>

namespace tests {

class RelayRunner : public engine::backend::Runner
{
public:
    explicit RelayRunner(std::unique_ptr<engine::backend::Runner> real)
        : m_real(std::move(real))
    {
    }
    engine::Result<void> run(const engine::backend::Batch& batch, std::stop_token stop) override
    {
        return m_real->run(batch, std::move(stop));
    }
    std::uint32_t mostRows() const override { return m_real->mostRows(); }
    engine::Result<void> writeSlot(engine::model::Slot slot, std::span<const float> rows) override
    {
        return m_real->writeSlot(slot, rows);
    }
    engine::Result<void> readSlot(engine::model::Slot slot, std::span<float> rows) override
    {
        return m_real->readSlot(slot, rows);
    }
    std::span<float> logits() override { return m_real->logits(); }
    std::uint64_t stateBytes() const override { return m_real->stateBytes(); }
    void saveState(std::span<std::byte> out) const override { m_real->saveState(out); }
    void restoreState(std::span<const std::byte> in) override { m_real->restoreState(in); }
    std::uint64_t memoryBytes() const override { return m_real->memoryBytes(); }
    int threads() const override { return m_real->threads(); }
    std::uint32_t deviceBlocks() const override { return m_real->deviceBlocks(); }
    void startProfile() override { m_real->startProfile(); }
    std::vector<engine::backend::OpTime> profile() const override { return m_real->profile(); }

private:
    std::unique_ptr<engine::backend::Runner> m_real;
};

} // namespace tests
