// A device made of the CPU that fails when its script says so, with as much memory as that says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/offload.h"
#include "tests/support/relay_runner.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace tests {

/// What the device does and when it fails. Changed while nothing runs.
struct DeviceScript
{
    engine::ErrorCode prepareFails = engine::ErrorCode::Cancelled; ///< Cancelled: it does not
    int runsLeft = 1'000'000; ///< the run after them fails, and all later ones
    engine::ErrorCode runFails = engine::ErrorCode::DeviceLost;
    int runs = 0;
    std::size_t tokens = 0; ///< evaluated
    /// Bytes; models that are there take them while they last.
    std::uint64_t memory = UINT64_MAX;
    std::uint64_t taken = 0;
};

class FailingRunner final : public RelayRunner
{
public:
    FailingRunner(std::unique_ptr<engine::backend::Runner> real, DeviceScript& script,
                  std::uint32_t blocks, std::uint64_t bytes)
        : RelayRunner(std::move(real))
        , m_script(script)
        , m_blocks(blocks)
        , m_bytes(bytes)
    {
        m_script.taken += m_bytes;
    }
    ~FailingRunner() override { m_script.taken -= m_bytes; }
    engine::Result<void> run(const engine::backend::Batch& batch, std::stop_token stop) override
    {
        ++m_script.runs;
        if (m_script.runsLeft-- <= 0) {
            return engine::failure(m_script.runFails, { "the fake", "-4" });
        }
        m_script.tokens += batch.tokens.size();
        return RelayRunner::run(batch, std::move(stop));
    }
    int threads() const override { return 0; }
    std::uint32_t deviceBlocks() const override { return m_blocks; }

private:
    DeviceScript& m_script;
    std::uint32_t m_blocks;
    std::uint64_t m_bytes;
};

class FailingDevice final : public engine::backend::Backend
{
public:
    explicit FailingDevice(DeviceScript& script)
        : m_script(script)
    {
    }
    std::string description() const override { return "the fake"; }
    std::uint64_t freeBytes() const override
    {
        return m_script.memory == UINT64_MAX
            ? UINT64_MAX
            : m_script.memory - std::min(m_script.memory, m_script.taken);
    }
    std::uint32_t deviceBlocks(const engine::model::Graph& graph,
                               const engine::backend::RunnerOptions& options) const override
    {
        const auto needs = engine::backend::offloadNeeds(graph, options, options.batchLength);
        return std::min(
            options.deviceBlocks.value_or(engine::backend::fittingBlocks(needs, freeBytes())),
            static_cast<std::uint32_t>(needs.blocks.size()));
    }
    engine::Result<std::unique_ptr<engine::backend::Runner>>
    prepare(const engine::model::Graph& graph,
            const engine::backend::RunnerOptions& options) const override
    {
        using engine::ErrorCode;
        if (options.stop.stop_requested()) {
            return engine::failure(ErrorCode::Cancelled);
        }
        const auto count = deviceBlocks(graph, options);
        const auto bytes =
            engine::backend::offloadNeeds(graph, options, options.batchLength).deviceBytes(count);
        const auto fails =
            bytes > freeBytes() ? ErrorCode::DeviceOutOfMemory : m_script.prepareFails;
        if (fails != ErrorCode::Cancelled) {
            return engine::failure(fails, { "1 byte", "" });
        }
        if (options.progress) {
            options.progress(1.0);
        }
        auto real = engine::backend::cpuBackend().prepare(graph, options);
        if (!real) {
            return tl::unexpected(real.error());
        }
        return std::make_unique<FailingRunner>(std::move(*real), m_script, count,
                                               m_script.memory == UINT64_MAX ? 0 : bytes);
    }

private:
    DeviceScript& m_script;
};

} // namespace tests
