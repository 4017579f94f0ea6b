// The op list of one forward pass, independent of batch size and backend. Architectures write it,
// backends run it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/weights.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace engine::model {

/// An activation: one row of `width` floats a token. Slots are numbered by their Graph.
using Slot = int;

/// Rotary position embedding of one model. Source: RoFormer (arXiv 2104.09864); YaRN (arXiv
/// 2309.00071).
struct RopeParameters
{
    std::uint32_t dimensions = 0; ///< rotated numbers of a head, from its start; even
    float base = 10000.0F;
    float scale = 1.0F; ///< positions are multiplied by it (1 / rope.scaling.factor)
    std::span<const float> factors; ///< dimensions / 2 divisors of the frequencies, or empty
    bool yarn = false;
    std::uint32_t originalContext = 0;
    float extrapolation = 1.0F;
    float attentionFactor = 1.0F;
    float betaFast = 32.0F;
    float betaSlow = 1.0F;
};

namespace op {

/// out = rows of `table` named by the batch's tokens.
struct Embed
{
    const Matrix* table;
    Slot out;
};

/// out = in / sqrt(mean(in²) + epsilon) · weight, per row. Source: arXiv 1910.07467.
struct RmsNorm
{
    Slot in;
    const Vector* weight;
    float epsilon;
    Slot out;
};

/// For each target: out = W in + bias. Targets share the input, so that it is prepared once.
struct Linear
{
    struct Target
    {
        const Matrix* matrix;
        const Vector* bias; ///< null: none
        Slot out;
    };
    Slot in;
    std::vector<Target> targets;
};

/// Rotates pairs (2i, 2i+1) of every head in place by the token's position.
struct Rope
{
    Slot values;
    std::uint32_t heads;
    std::uint32_t headLength;
    const RopeParameters* parameters;
};

/// Writes the batch's keys and values into the cache of `layer`.
struct StoreKv
{
    std::uint32_t layer;
    Slot key;
    Slot value;
};

/// Causal attention over the cache of `layer`: softmax(scale · q kᵀ) v; query heads share key/value
/// heads in groups.
struct Attention
{
    std::uint32_t layer;
    Slot query;
    Slot out;
    std::uint32_t heads;
    float scale;
};

/// into += from
struct Add
{
    Slot into;
    Slot from;
};

/// gate = silu(gate) · up, silu(x) = x / (1 + exp(-x)). Source: arXiv 2002.05202.
struct SwiGlu
{
    Slot gate;
    Slot up;
};

/// Drops the rows whose logits nobody asked for; from here on the batch is only as long as its
/// outputs.
struct KeepOutputs
{
    Slot in;
    Slot out;
};

} // namespace op

using Node = std::variant<op::Embed, op::RmsNorm, op::Linear, op::Rope, op::StoreKv, op::Attention,
                          op::Add, op::SwiGlu, op::KeepOutputs>;

/// "linear", "rope", …: the name of the op's file in every backend.
[[nodiscard]] std::string_view opName(const Node& node);

/// Geometry of the KV cache that the graph's attention needs.
struct KvGeometry
{
    std::uint32_t layers = 0;
    std::uint32_t heads = 0; ///< key/value heads
    std::uint32_t keyLength = 0;
    std::uint32_t valueLength = 0;
};

/// Refers to weights and parameters of the model that made it; the model must outlive it.
struct Graph
{
    std::vector<std::uint32_t> slotWidths; ///< floats of a row, by slot
    std::vector<Node> nodes;
    Slot logits = 0; ///< vocabulary size wide
    KvGeometry kv;

    /// Adds an activation and gives its number.
    [[nodiscard]] Slot slot(std::uint32_t width)
    {
        slotWidths.push_back(width);
        return static_cast<Slot>(slotWidths.size()) - 1;
    }
    void add(Node node) { nodes.push_back(std::move(node)); }
};

} // namespace engine::model
