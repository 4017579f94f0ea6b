// Which weights an op reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

#include <type_traits>

namespace engine::model {

namespace detail {

template <typename F>
class WeightVisitor
{
public:
    explicit WeightVisitor(F& f)
        : m_f(f)
    {
    }

    void operator()(const op::Embed& op) { give(op.table); }
    void operator()(const op::AddPositions& op) { give(op.table); }
    void operator()(const op::ScaleBy& op) { give(op.weight); }
    void operator()(const op::RmsNorm& op) { give(op.weight); }
    void operator()(const op::LayerNorm& op) { give(op.weight, op.bias); }
    void operator()(const op::Linear& op)
    {
        for (const auto& target : op.targets) {
            give(target.matrix, target.bias);
        }
    }
    void operator()(const op::HeadLinear& op) { give(op.stack); }
    void operator()(const op::Attention& op) { give(op.sinks); }
    void operator()(const op::Route& op) { give(op.bias, op.expertScales); }
    void operator()(const op::ExpertLinear& op)
    {
        for (const auto& target : op.targets) {
            give(target.experts, target.bias);
        }
    }
    void operator()(const op::ShortConv& op) { give(op.weight, op.bias); }
    void operator()(const op::GatedDelta& op) { give(op.a, op.dt); }
    void operator()(const op::StateScan& op) { give(op.stepBias, op.a, op.d); }
    template <typename Other>
    void operator()(const Other& /*op*/)
    {
    }

private:
    template <typename... Weights>
    void give(const Weights*... weights)
    {
        (giveOne(weights), ...);
    }
    void giveOne(const MatrixStack* stack)
    {
        if (stack) {
            giveOne(&stack->all);
        }
    }
    template <typename Weight>
    void giveOne(const Weight* weight)
    {
        if (weight && *weight) {
            m_f(*weight);
        }
    }

    F& m_f;
};

} // namespace detail

/// Calls f(const Matrix&) or f(const Vector&) for everything that the node reads; stacks are the
/// matrix of all. What is optional and absent is left out.
template <typename F>
void forEachWeight(const Node& node, F&& f)
{
    std::visit(detail::WeightVisitor<F>(f), node);
}

/// The same for matrices alone.
template <typename F>
void forEachMatrix(const Node& node, F&& f)
{
    forEachWeight(node, [&f](const auto& weight) {
        if constexpr (std::is_same_v<std::decay_t<decltype(weight)>, Matrix>) {
            f(weight);
        }
    });
}

} // namespace engine::model
