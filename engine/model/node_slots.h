// Which activations an op reads and writes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"

namespace engine::model {

enum class SlotAccess {
    Read,
    Write, ///< every number of its rows, without having read one
    Change, ///< reads, or writes only some
};

namespace detail {

template <typename F>
class SlotVisitor
{
public:
    explicit SlotVisitor(F& f)
        : m_f(f)
    {
    }

    void operator()(const op::Embed& op) { write(op.out); }
    void operator()(const op::AddPositions& op) { change(op.into); }
    void operator()(const op::Scale& op) { change(op.values); }
    void operator()(const op::ScaleBy& op) { change(op.values); }
    void operator()(const op::ScaleByPosition& op) { change(op.values); }
    void operator()(const op::RmsNorm& op) { map(op.in, op.out); }
    void operator()(const op::LayerNorm& op) { map(op.in, op.out); }
    void operator()(const op::Linear& op)
    {
        read(op.in);
        for (const auto& target : op.targets) {
            write(target.out);
        }
    }
    void operator()(const op::HeadLinear& op)
    {
        read(op.in);
        change(op.out);
    }
    void operator()(const op::Rope& op) { change(op.values); }
    void operator()(const op::StoreKv& op)
    {
        read(op.key);
        read(op.value);
    }
    void operator()(const op::Attention& op) { map(op.query, op.out); }
    void operator()(const op::Add& op)
    {
        read(op.from);
        change(op.into);
    }
    void operator()(const op::Activate& op) { change(op.values); }
    void operator()(const op::Gate& op)
    {
        read(op.up);
        change(op.gate);
    }
    void operator()(const op::Clamp& op) { change(op.values); }
    void operator()(const op::SoftCap& op) { change(op.values); }
    void operator()(const op::Xielu& op) { change(op.values); }
    void operator()(const op::Sparsify& op) { change(op.values); }
    void operator()(const op::MixPieces& op)
    {
        read(op.from);
        if (op.weights >= 0) {
            read(op.weights);
        }
        change(op.into);
    }
    void operator()(const op::MatchLength& op)
    {
        read(op.like);
        change(op.values);
    }
    void operator()(const op::CopyPieces& op)
    {
        read(op.in);
        change(op.out);
    }
    void operator()(const op::Route& op) { map(op.scores, op.out); }
    void operator()(const op::ExpertLinear& op)
    {
        read(op.in);
        read(op.route);
        for (const auto& target : op.targets) {
            write(target.out);
        }
    }
    void operator()(const op::CombineExperts& op)
    {
        read(op.route);
        map(op.in, op.out);
    }
    void operator()(const op::ShortConv& op) { map(op.in, op.out); }
    void operator()(const op::GatedDelta& op)
    {
        for (const auto slot : { op.query, op.key, op.value, op.alpha, op.beta }) {
            read(slot);
        }
        write(op.out);
    }
    void operator()(const op::StateScan& op)
    {
        for (const auto slot : { op.x, op.b, op.c, op.step }) {
            read(slot);
        }
        write(op.out);
    }
    void operator()(const op::KeepOutputs& op) { map(op.in, op.out); }

private:
    void read(Slot slot) { m_f(slot, SlotAccess::Read); }
    void write(Slot slot) { m_f(slot, SlotAccess::Write); }
    void change(Slot slot) { m_f(slot, SlotAccess::Change); }
    void map(Slot in, Slot out)
    {
        read(in);
        write(out);
    }

    F& m_f;
};

} // namespace detail

/// Calls f(Slot, SlotAccess), reads before writes.
template <typename F>
void forEachSlot(const Node& node, F&& f)
{
    std::visit(detail::SlotVisitor<F>(f), node);
}

} // namespace engine::model
