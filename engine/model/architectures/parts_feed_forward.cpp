#include "engine/model/architectures/parts.h"

namespace engine::model::parts {

void feedForward(Composer& c, FeedForward kind, Activation function, Slot in, Slot out,
                 std::uint32_t divisor)
{
    const auto d = c.width(in);
    const auto f = c.hparams().feedForwardLengths[c.block()] / divisor;
    const auto upSlot = c.slot("up", f);
    const auto gateSlot = kind == FeedForward::Plain ? upSlot : c.slot("gate", f);
    if (kind == FeedForward::Plain) {
        c.linear(in, c.linear("ffn_up", d, f), upSlot);
        c.add(op::Activate { upSlot, function });
    } else {
        LinearWeights gate;
        LinearWeights up;
        if (kind == FeedForward::FusedGate) {
            const auto both = c.linear("ffn_up", d, 2ULL * f);
            gate = c.rowsOf(both, 0, f);
            up = c.rowsOf(both, f, f);
        } else {
            gate = c.linear("ffn_gate", d, f);
            up = c.linear("ffn_up", d, f);
        }
        c.add(op::Linear {
            in, { { gate.matrix, gate.bias, gateSlot }, { up.matrix, up.bias, upSlot } } });
        c.add(op::Gate { gateSlot, upSlot, function });
    }
    c.linear(gateSlot, c.linear("ffn_down", f, c.width(out)), out);
}

void feedForward(Composer& c, const FeedForwardStyle& style, Slot in, Slot out)
{
    if (style.experts.isIn(c.block())) {
        experts(c, style.experts, in, out);
    } else {
        feedForward(c, style.kind, style.function, in, out, style.halfWidth ? 2 : 1);
    }
}

} // namespace engine::model::parts
