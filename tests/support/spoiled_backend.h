// A backend that computes one op wrongly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/relay_runner.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tests {

using Spoil = std::function<void(std::span<float>)>;

/// Another runner, but for what is done to the results of graphs with an op of that name.
class SpoiledRunner final : public RelayRunner
{
public:
    SpoiledRunner(std::unique_ptr<engine::backend::Runner> real, Spoil spoil)
        : RelayRunner(std::move(real))
        , m_spoil(std::move(spoil))
    {
    }
    engine::Result<void> run(const engine::backend::Batch& batch, std::stop_token stop) override
    {
        auto done = RelayRunner::run(batch, std::move(stop));
        m_spoil(logits());
        return done;
    }

private:
    Spoil m_spoil;
};

class SpoiledBackend final : public engine::backend::Backend
{
public:
    /// No `spoil`: such graphs can't be prepared. `real`: the CPU where it is null.
    SpoiledBackend(std::string op, Spoil spoil,
                   std::shared_ptr<const engine::backend::Backend> real = {})
        : m_op(std::move(op))
        , m_spoil(std::move(spoil))
        , m_real(std::move(real))
    {
    }
    std::string description() const override { return "spoiled"; }
    engine::Result<std::unique_ptr<engine::backend::Runner>>
    prepare(const engine::model::Graph& graph,
            const engine::backend::RunnerOptions& options) const override
    {
        auto real = (m_real ? *m_real : engine::backend::cpuBackend()).prepare(graph, options);
        const bool isSpoiled = std::ranges::any_of(
            graph.nodes, [&](const auto& node) { return engine::model::opName(node) == m_op; });
        if (!isSpoiled || !real) {
            return real;
        }
        if (!m_spoil) {
            return engine::failure(engine::ErrorCode::DeviceFailed, { m_op, "-1" });
        }
        return std::make_unique<SpoiledRunner>(std::move(*real), m_spoil);
    }

private:
    std::string m_op;
    Spoil m_spoil;
    std::shared_ptr<const engine::backend::Backend> m_real;
};

} // namespace tests
