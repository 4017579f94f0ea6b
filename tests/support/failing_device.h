// A device made of the CPU that fails when its script says so, with as much memory as that says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/offload.h"
#include "engine/model/node_weights.h"
#include "tests/support/relay_runner.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests {

/// A number that one thread changes while another looks.
class WatchedNumber
{
public:
    WatchedNumber(std::uint64_t value = 0)
        : m_value(value)
    {
    }
    WatchedNumber& operator=(const WatchedNumber& other)
    {
        m_value = other.load();
        return *this;
    }
    [[nodiscard]] std::uint64_t load() const { return m_value; }
    std::uint64_t add(std::uint64_t more) { return m_value += more; }
    void take(std::uint64_t less) { m_value -= less; }

private:
    std::atomic<std::uint64_t> m_value;
};

/// What the device does and when it fails. Changed while nothing runs.
struct DeviceScript
{
    engine::ErrorCode prepareFails = engine::ErrorCode::Cancelled; ///< Cancelled: it does not
    int runsLeft = 1'000'000; ///< the run after them fails, and all later ones
    engine::ErrorCode runFails = engine::ErrorCode::DeviceLost;
    int runs = 0;
    std::size_t tokens = 0; ///< evaluated
    std::uint32_t driverVersion = 1;
    int openings = 0;
    int lost = 0; ///< of so many openings, the first ones, the device is lost
    std::vector<std::string> without; ///< features, at the last opening
    /// Bytes; models that are there take them while they last.
    std::uint64_t memory = UINT64_MAX;
    WatchedNumber taken;
    WatchedNumber mostTaken;
    int uploads = 0; ///< of weights
};

/// Takes memory while it lasts.
class TakenMemory
{
public:
    TakenMemory(DeviceScript& script, std::uint64_t bytes)
        : m_script(script)
        , m_bytes(bytes)
    {
        m_script.mostTaken = std::max(m_script.mostTaken.load(), m_script.taken.add(m_bytes));
    }
    ~TakenMemory() { m_script.taken.take(m_bytes); }
    TakenMemory(const TakenMemory&) = delete;
    TakenMemory& operator=(const TakenMemory&) = delete;
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    DeviceScript& m_script;
    std::uint64_t m_bytes;
};

/// What a runner has of its device.
struct FailingPlace
{
    int opening = 0;
    std::uint32_t blocks = 0;
    std::shared_ptr<const TakenMemory> weights;
    std::uint64_t bytes = 0; ///< beside the weights
};

class FailingRunner final : public RelayRunner
{
public:
    FailingRunner(std::unique_ptr<engine::backend::Runner> real, DeviceScript& script,
                  FailingPlace place)
        : RelayRunner(std::move(real))
        , m_script(script)
        , m_place(std::move(place))
        , m_rest(script, m_place.bytes)
    {
    }
    engine::Result<void> run(const engine::backend::Batch& batch, std::stop_token stop) override
    {
        ++m_script.runs;
        if (m_script.runsLeft-- <= 0 || m_place.opening <= m_script.lost) {
            return engine::failure(m_script.runFails, { "the fake", "-4" });
        }
        m_script.tokens += batch.tokens.size();
        return RelayRunner::run(batch, std::move(stop));
    }
    int threads() const override { return 0; }
    std::uint32_t deviceBlocks() const override { return m_place.blocks; }

private:
    DeviceScript& m_script;
    FailingPlace m_place;
    TakenMemory m_rest;
};

/// Runners that have the same blocks of the same model there share their weights.
class FailingDevice final : public engine::backend::Backend
{
public:
    explicit FailingDevice(DeviceScript& script)
        : m_script(script)
        , m_opening(++script.openings)
    {
    }
    std::string description() const override { return "the fake"; }
    std::uint64_t freeBytes() const override
    {
        return m_script.memory == UINT64_MAX
            ? UINT64_MAX
            : m_script.memory - std::min(m_script.memory, m_script.taken.load());
    }
    std::uint32_t deviceBlocks(const engine::model::Graph& graph,
                               const engine::backend::RunnerOptions& options) const override
    {
        const auto wanted = needs(graph, options);
        const auto there = [&](std::uint32_t count) { return heldWeights(graph, count).bytes; };
        return std::min(options.deviceBlocks.value_or(
                            engine::backend::fittingBlocks(wanted, freeBytes(), there)),
                        static_cast<std::uint32_t>(wanted.blocks.size()));
    }
    engine::backend::HeldWeights heldWeights(const engine::model::Graph& graph,
                                             std::uint32_t blocks) const override
    {
        const auto found = m_weights.find({ firstOf(graph), blocks });
        const auto weights = found == m_weights.end() ? nullptr : found->second.lock();
        return { weights, weights ? weights->bytes() : 0 };
    }
    engine::Result<std::unique_ptr<engine::backend::Runner>>
    prepare(const engine::model::Graph& graph,
            const engine::backend::RunnerOptions& options) const override
    {
        using engine::ErrorCode;
        if (options.stop.stop_requested()) {
            return engine::failure(ErrorCode::Cancelled);
        }
        if (m_opening <= m_script.lost) {
            return engine::failure(ErrorCode::DeviceLost, { "the fake" });
        }
        const auto count = deviceBlocks(graph, options);
        const auto bytes = needs(graph, options).deviceBytes(count);
        const auto ofWeights = engine::backend::offloadNeeds(graph, {}, 0).deviceBytes(count);
        auto weights = std::static_pointer_cast<const TakenMemory>(heldWeights(graph, count).hold);
        const auto fails = bytes - (weights ? ofWeights : 0) > freeBytes()
            ? ErrorCode::DeviceOutOfMemory
            : m_script.prepareFails;
        if (fails != ErrorCode::Cancelled) {
            return engine::failure(fails, { "1 byte", "" });
        }
        if (!weights) {
            weights = std::make_shared<TakenMemory>(m_script, ofWeights);
            m_weights[{ firstOf(graph), count }] = weights;
            ++m_script.uploads;
        }
        if (options.progress) {
            options.progress(1.0);
        }
        auto real = engine::backend::cpuBackend().prepare(graph, options);
        if (!real) {
            return tl::unexpected(real.error());
        }
        return std::make_unique<FailingRunner>(
            std::move(*real), m_script,
            FailingPlace { m_opening, count, std::move(weights), bytes - ofWeights });
    }

private:
    static const void* firstOf(const engine::model::Graph& graph)
    {
        const void* first = nullptr;
        for (const auto& node : graph.nodes) {
            engine::model::forEachMatrix(node, [&](const engine::model::Matrix& matrix) {
                first = first ? first : matrix.data.data();
            });
        }
        return first;
    }

    DeviceScript& m_script;
    int m_opening;
    mutable std::map<std::pair<const void*, std::uint32_t>, std::weak_ptr<const TakenMemory>>
        m_weights; ///< by the model and how many of its blocks
};

} // namespace tests
