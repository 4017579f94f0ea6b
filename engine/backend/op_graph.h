// Graphs of a few ops whose inputs are given numbers: what self-test and tests run on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/model/graph.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <stop_token>
#include <utility>
#include <vector>

namespace engine::backend {

/// Owns the numbers that its graph refers to. Inputs are slots filled from tables: token t of the
/// batch brings row t.
class OpGraph
{
public:
    OpGraph() = default;
    OpGraph(const OpGraph&) = delete;
    OpGraph& operator=(const OpGraph&) = delete;
    OpGraph(OpGraph&&) = default; // what the graph refers to stays where it is
    OpGraph& operator=(OpGraph&&) = default;

    /// A slot that holds `values`, row after row.
    model::Slot slot(std::uint32_t width, const std::vector<float>& values);
    /// Fills a slot that is there.
    void fill(model::Slot slot, const std::vector<float>& values);
    /// A slot for results.
    model::Slot slot(std::uint32_t width) { return graph.slot(width); }
    /// `data` stays the caller's.
    [[nodiscard]] const model::Matrix* matrix(model::Matrix matrix)
    {
        return &m_matrices.emplace_back(matrix);
    }
    /// Random weights of any type that the engine decodes, the same for the same seed.
    [[nodiscard]] const model::Matrix* randomMatrix(gguf::TensorType type, std::uint64_t columns,
                                                    std::uint64_t rows, unsigned seed);
    /// The same, but never encoded: much faster for large ones.
    [[nodiscard]] const model::Matrix* randomBlocks(gguf::TensorType type, std::uint64_t columns,
                                                    std::uint64_t rows, unsigned seed);
    /// The rows of a matrix as `count` matrices.
    [[nodiscard]] const model::MatrixStack* stack(const model::Matrix& all, std::uint32_t count)
    {
        return &m_stacks.emplace_back(model::MatrixStack { all, count });
    }
    [[nodiscard]] const model::Vector* vector(std::vector<float> values)
    {
        return &m_vectors.emplace_back(std::move(values));
    }
    [[nodiscard]] const model::RopeParameters* rope(model::RopeParameters parameters)
    {
        return &m_ropes.emplace_back(parameters);
    }
    template <typename Op>
    void add(Op op)
    {
        graph.nodes.emplace_back(std::move(op));
    }
    /// The slot that runs give.
    void show(model::Slot slot) { graph.logits = slot; }

    /// What a backend computes for tokens 0 … rows - 1 from `position` on, in runs of at most
    /// `chunk` rows. Errors: of Backend::prepare and Runner::run.
    [[nodiscard]] Result<std::vector<float>> compute(const Backend& backend, std::size_t rows,
                                                     std::size_t chunk, std::uint32_t position = 0,
                                                     const std::stop_token& stop = {}) const;

    model::Graph graph;
    /// The context is made long enough where it is too short.
    RunnerOptions options { .cacheType = CacheType::F32,
                            .activations = ActivationMode::Float,
                            .threads = 1 };

private:
    std::span<const std::byte> keep(std::vector<std::byte> bytes);

    std::deque<std::vector<std::byte>> m_bytes;
    std::deque<model::Matrix> m_matrices;
    std::deque<model::MatrixStack> m_stacks;
    std::deque<model::Vector> m_vectors;
    std::deque<model::RopeParameters> m_ropes;
};

/// 0 … n - 1: token t brings row t.
[[nodiscard]] std::vector<text::TokenId> ascendingTokens(std::size_t n);

/// Normally distributed numbers, the same for the same seed.
[[nodiscard]] std::vector<float> normalNumbers(std::size_t n, unsigned seed,
                                               float deviation = 1.0F);

} // namespace engine::backend
