// The op list of one forward pass, independent of batch size and backend. Architectures write it,
// backends run it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/ops.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace engine::model {

using Node = std::variant<op::Embed, op::AddPositions, op::Scale, op::ScaleBy, op::ScaleByPosition,
                          op::RmsNorm, op::LayerNorm, op::Linear, op::HeadLinear, op::Rope,
                          op::StoreKv, op::Attention, op::Add, op::Activate, op::Gate, op::Clamp,
                          op::SoftCap, op::Xielu, op::Sparsify, op::MixPieces, op::MatchLength,
                          op::CopyPieces, op::Route, op::ExpertLinear, op::CombineExperts,
                          op::ShortConv, op::GatedDelta, op::StateScan, op::KeepOutputs>;

/// "linear", "rope", …: the name of the op's file in every backend.
[[nodiscard]] std::string_view opName(const Node& node);

/// What one layer keeps of every token.
struct KvLayer
{
    std::uint32_t heads = 0; ///< key/value heads; 0: nothing is kept
    std::uint32_t keyLength = 0; ///< numbers of one head
    std::uint32_t valueLength = 0;

    /// Of one token.
    [[nodiscard]] std::uint64_t numbers() const
    {
        return std::uint64_t(heads) * (std::uint64_t(keyLength) + valueLength);
    }
    bool operator==(const KvLayer&) const = default;
};

/// The KV cache that the graph's attention needs.
struct KvGeometry
{
    std::vector<KvLayer> layers; ///< by op::Attention::layer

    /// Of one token in all layers.
    [[nodiscard]] std::uint64_t numbers() const;
    bool operator==(const KvGeometry&) const = default;
};

/// Layers that are all alike.
[[nodiscard]] KvGeometry uniformKv(std::uint32_t layers, KvLayer layer);

/// Refers to weights and parameters of the model that made it; the model must outlive it.
struct Graph
{
    std::vector<std::uint32_t> slotWidths; ///< floats of a row, by slot
    std::vector<Node> nodes;
    Slot logits = 0; ///< vocabulary size wide
    std::vector<Slot> kept; ///< other activations that are read after a run
    KvGeometry kv;
    /// Floats of each recurrent state; all zeros before position 0. A graph with states can't go
    /// back to an earlier position but by a state that was saved there.
    std::vector<std::uint32_t> states;
    /// The node that each block (transformer layer) begins with, in their order. Before the first
    /// the tokens are read, the last one's end with what makes logits.
    std::vector<std::uint32_t> blockStarts;

    /// Adds an activation and gives its number.
    [[nodiscard]] Slot slot(std::uint32_t width)
    {
        slotWidths.push_back(width);
        return static_cast<Slot>(slotWidths.size()) - 1;
    }
    /// Adds a recurrent state and gives its number.
    [[nodiscard]] std::uint32_t state(std::uint32_t floats)
    {
        states.push_back(floats);
        return static_cast<std::uint32_t>(states.size()) - 1;
    }
    void add(Node node) { nodes.push_back(std::move(node)); }
    [[nodiscard]] bool isRecurrent() const { return !states.empty(); }
    /// Bytes of all states together.
    [[nodiscard]] std::uint64_t stateBytes() const;
};

} // namespace engine::model
