#include "engine/model/architectures/parts.h"

#include <algorithm>

namespace engine::model::parts {

namespace {

constexpr std::uint32_t kMostExperts = 4096;
constexpr std::uint32_t kMostUsed = 256;

/// The widths of one gated layer that runs beside the chosen experts.
void sharedExpert(Composer& c, const Experts& style, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto f = style.sharedWidth;
    const auto gate = c.linear("ffn_gate_shexp", d, f);
    const auto up = c.linear("ffn_up_shexp", d, f);
    const auto gateSlot = c.slot("gate", f);
    const auto upSlot = c.slot("up", f);
    const auto shared = c.slot("shared", c.width(out));
    c.add(op::Linear { in,
                       { { gate.matrix, gate.bias, gateSlot }, { up.matrix, up.bias, upSlot } } });
    c.add(op::Gate { gateSlot, upSlot, style.function });
    c.linear(gateSlot, c.linear("ffn_down_shexp", f, d), shared);
    if (const auto* share = c.optionalMatrix("ffn_gate_inp_shexp.weight", d, 1)) {
        const auto one = c.slot("share", 1);
        c.linear(in, { share, nullptr }, one);
        c.add(op::Activate { one, Activation::Sigmoid });
        c.add(op::Gate { shared, one, Activation::Identity });
    }
    c.add(op::Add { out, shared });
}

} // namespace

void feedForward(Composer& c, FeedForward kind, Activation function, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto f = c.hparams().feedForwardLengths[c.block()];
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
    if (style.experts.count != 0 && c.block() >= style.experts.leadingDense) {
        experts(c, style.experts, in, out);
    } else {
        feedForward(c, style.kind, style.function, in, out);
    }
}

Experts readExperts(Composer& c, Experts usual)
{
    constexpr std::uint32_t most = 1U << 20U;
    auto& keys = c.keys();
    Experts e = usual;
    e.count = keys.optional("expert_count", 0, 0, kMostExperts);
    if (e.count == 0) {
        return e;
    }
    e.used = keys.required("expert_used_count", 1, std::min(e.count, kMostUsed));
    const auto dense = c.hparams().feedForwardLengths.front();
    e.width = keys.optional("expert_feed_forward_length", dense, 1, most);
    const auto shared = keys.optional("expert_shared_count", 0, 0, 64);
    e.sharedWidth = keys.optional("expert_shared_feed_forward_length", shared * e.width, 1, most);
    e.leadingDense = keys.optional("leading_dense_block_count", 0, 0, c.hparams().blockCount);
    e.normalize = keys.flag("expert_weights_norm", usual.normalize);
    e.scale = keys.number("expert_weights_scale", usual.scale, 0.0F, 1e6F);
    if (e.scale == 0.0F) {
        e.scale = 1.0F; // as old files say that there is none
    }
    e.groups = keys.optional("expert_group_count", 1, 0, e.count);
    e.groups = std::max(e.groups, 1U);
    e.groupsUsed = std::max(keys.optional("expert_group_used_count", 1, 0, e.groups), 1U);
    if (e.count % e.groups != 0) {
        keys.fail(ErrorCode::BadKeyValue, { std::to_string(e.groups), "a divisor of expert_count" },
                  "expert_group_count");
    }
    using Gating = op::Route::Gating;
    switch (keys.optional("expert_gating_func", 0, 0, 3)) {
    case 1:
        e.gating = Gating::Softmax;
        break;
    case 2:
        e.gating = Gating::Sigmoid;
        break;
    case 3:
        e.gating = Gating::SoftmaxOfChosen;
        break;
    default:
        break;
    }
    return e;
}

void experts(Composer& c, const Experts& style, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto f = style.width;
    const auto n = style.count;
    const auto scores = c.slot("scores", n);
    const auto route = c.slot("route", 2 * style.used);
    const auto gate = c.slot("experts' gate", style.used * f);
    const auto up = c.slot("experts' up", style.used * f);
    const auto down = c.slot("experts' down", style.used * d);
    c.linear(in, c.linear("ffn_gate_inp", d, n), scores);
    op::Route choice { scores, route, style.used };
    choice.gating = style.gating;
    choice.bias = c.optionalVector("exp_probs_b.bias", n);
    choice.groups = style.groups;
    choice.groupsUsed = style.groupsUsed;
    choice.normalize = style.normalize;
    choice.scale = style.scale;
    c.add(choice);
    const auto* gates = c.stack("ffn_gate_exps.weight", d, f, n);
    const auto* gateBias = c.optionalVectors("ffn_gate_exps.bias", f, n);
    const auto* ups = c.stack("ffn_up_exps.weight", d, f, n);
    const auto* upBias = c.optionalVectors("ffn_up_exps.bias", f, n);
    c.add(op::ExpertLinear {
        in, route, style.used, { { gates, gateBias, gate }, { ups, upBias, up } } });
    c.add(op::Gate { gate, up, style.function, style.limit });
    const auto* downs = c.stack("ffn_down_exps.weight", f, d, n);
    const auto* downBias = c.optionalVectors("ffn_down_exps.bias", d, n);
    c.add(op::ExpertLinear { gate, route, style.used, { { downs, downBias, down } } });
    c.add(op::CombineExperts { down, route, style.used, out });
    if (style.sharedWidth != 0) {
        sharedExpert(c, style, in, out);
    }
}

} // namespace engine::model::parts
