#include "engine/model/architectures/parts.h"

#include <algorithm>

namespace engine::model::parts {

namespace {

constexpr std::uint32_t kMostExperts = 4096;
constexpr std::uint32_t kMostUsed = 256;

/// One layer that runs beside the chosen experts.
void sharedExpert(Composer& c, const Experts& style, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto f = style.sharedWidth;
    const auto up = c.linear("ffn_up_shexp", d, f);
    auto inner = c.slot("up", f);
    const auto shared = c.slot("shared", c.width(out));
    if (style.gated) {
        const auto gate = c.linear("ffn_gate_shexp", d, f);
        const auto gateSlot = c.slot("gate", f);
        c.add(op::Linear {
            in, { { gate.matrix, gate.bias, gateSlot }, { up.matrix, up.bias, inner } } });
        c.add(op::Gate { gateSlot, inner, style.function });
        inner = gateSlot;
    } else {
        c.linear(in, up, inner);
        c.add(op::Activate { inner, style.function });
    }
    c.linear(inner, c.linear("ffn_down_shexp", f, d), shared);
    if (const auto* share = c.optionalMatrix("ffn_gate_inp_shexp.weight", d, 1)) {
        const auto one = c.slot("share", 1);
        c.linear(in, { share, nullptr }, one);
        c.add(op::Activate { one, Activation::Sigmoid });
        c.add(op::Gate { shared, one, Activation::Identity });
    }
    c.add(op::Add { out, shared });
}

/// Rows for every chosen expert: gate and up, in two tensors or in one.
struct Inner
{
    Slot gate;
    Slot up;
};

Inner enter(Composer& c, const Experts& style, Slot in, Slot route)
{
    const auto d = c.hparams().embeddingLength;
    const auto f = style.width;
    const auto n = style.count;
    const auto used = style.used;
    const Inner out { c.slot("experts' gate", used * f), c.slot("experts' up", used * f) };
    if (style.gated && c.has("ffn_gate_up_exps.weight")) {
        const auto both = c.slot("experts' gate and up", 2 * used * f);
        const auto* fused = c.stack("ffn_gate_up_exps.weight", d, 2ULL * f, n);
        const auto* bias = c.optionalVectors("ffn_gate_up_exps.bias", 2ULL * f, n);
        c.add(op::ExpertLinear { in, route, used, { { fused, bias, both } } });
        c.add(op::CopyPieces { both, { 0, 2 * f }, out.gate, { 0, f }, used, f });
        c.add(op::CopyPieces { both, { f, 2 * f }, out.up, { 0, f }, used, f });
        return out;
    }
    op::ExpertLinear node { in, route, used, {} };
    if (style.gated) {
        const auto* gates = c.stack("ffn_gate_exps.weight", d, f, n);
        node.targets.push_back({ gates, c.optionalVectors("ffn_gate_exps.bias", f, n), out.gate });
    }
    const auto* ups = c.stack("ffn_up_exps.weight", d, f, n);
    node.targets.push_back({ ups, c.optionalVectors("ffn_up_exps.bias", f, n), out.up });
    c.add(node);
    return out;
}

/// One row for each chosen expert, multiplied by its weight.
Slot weighed(Composer& c, const Experts& style, Slot in, Slot route)
{
    const auto d = c.width(in);
    const auto all = c.slot("experts' input", style.used * d);
    const auto one = c.slot("one expert's input", d);
    const auto weight = c.slot("one expert's weight", 1);
    for (std::uint32_t i = 0; i < style.used; ++i) {
        c.add(op::CopyPieces { in, {}, one, {}, 1, d });
        c.add(op::CopyPieces { route, { style.used + i, 0 }, weight, {}, 1, 1 });
        c.add(op::Gate { one, weight, Activation::Identity });
        c.add(op::CopyPieces { one, {}, all, { i * d, 0 }, 1, d });
    }
    return all;
}

Slot choose(Composer& c, const Experts& style, Slot in)
{
    const auto scores = c.slot("scores", style.count);
    const auto route = c.slot("route", 2 * style.used);
    const auto seen = style.routerInput >= 0 ? style.routerInput : in;
    c.linear(seen, c.linear("ffn_gate_inp", c.width(seen), style.count), scores);
    op::Route choice { scores, route, style.used };
    choice.gating = style.gating;
    choice.bias = c.optionalVector("exp_probs_b.bias", style.count);
    choice.groups = style.groups;
    choice.groupsUsed = style.groupsUsed;
    choice.normalize = style.normalize;
    choice.scale = style.scale;
    if (style.ownScales) {
        choice.expertScales = c.optionalVector("ffn_down_exps.scale", style.count);
    }
    c.add(choice);
    return route;
}

} // namespace

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
    const auto sharedWidth = shared != 0 ? shared * e.width : usual.sharedWidth;
    e.sharedWidth = keys.optional("expert_shared_feed_forward_length", sharedWidth, 0, most);
    e.step = keys.optional("interleave_moe_layer_step", 1, 1, c.hparams().blockCount);
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
    const auto route = choose(c, style, in);
    const auto down = c.slot("experts' down", style.used * d);
    const auto input = style.weighInput ? weighed(c, style, in, route) : in;
    auto [inner, up] = enter(c, style, input, route);
    if (style.gated) {
        c.add(op::Gate { inner, up, style.function, style.limit });
    } else {
        c.add(op::Activate { up, style.function });
        inner = up;
    }
    const auto* downs = c.stack("ffn_down_exps.weight", f, d, n);
    const auto* downBias = c.optionalVectors("ffn_down_exps.bias", d, n);
    c.add(op::ExpertLinear { inner, route, style.used, { { downs, downBias, down } } });
    if (style.weighInput) {
        const auto one = c.slot("one expert's output", d);
        c.add(op::CopyPieces { down, {}, out, {}, 1, d });
        for (std::uint32_t i = 1; i < style.used; ++i) {
            c.add(op::CopyPieces { down, { i * d, 0 }, one, {}, 1, d });
            c.add(op::Add { out, one });
        }
    } else {
        c.add(op::CombineExperts { down, route, style.used, out });
    }
    if (style.sharedWidth != 0) {
        sharedExpert(c, style, in, out);
    }
}

} // namespace engine::model::parts
