// Qwen 3 Next and Qwen 3.5: gated delta nets in most blocks, gated attention in every nth. Source:
// arXiv 2412.06464 (the delta rule) and the models' published code.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

namespace {

/// Widths of the delta net.
struct Delta
{
    std::uint32_t kernel = 0; ///< of the convolution
    std::uint32_t length = 0; ///< of a key, a value
    std::uint32_t keyHeads = 0;
    std::uint32_t valueHeads = 0;
    std::uint32_t interval = 0; ///< every nth block is attention

    [[nodiscard]] std::uint32_t keys() const { return keyHeads * length; }
    [[nodiscard]] std::uint32_t values() const { return valueHeads * length; }
};

Delta readDelta(Composer& c)
{
    constexpr std::uint32_t most = 1U << 20U;
    auto& keys = c.keys();
    Delta d;
    d.kernel = keys.required("ssm.conv_kernel", 2, 64);
    d.length = keys.required("ssm.state_size", 1, 1024);
    d.keyHeads = keys.required("ssm.group_count", 1, 1024);
    d.valueHeads = keys.required("ssm.time_step_rank", 1, 1024);
    d.interval = keys.optional("full_attention_interval", 4, 1, 512);
    const auto inner = keys.required("ssm.inner_size", 1, most);
    if (inner != d.values()) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(inner), "time_step_rank times state_size" }, "ssm.inner_size");
    }
    if (d.valueHeads % d.keyHeads != 0) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(d.valueHeads), "a multiple of group_count" },
                  "ssm.time_step_rank");
        d.valueHeads = d.keyHeads;
    }
    return d;
}

/// One number a value head each: how much is written, how much is forgotten.
struct Rates
{
    Slot beta;
    Slot alpha;
};

Rates rates(Composer& c, const Delta& d, Slot in)
{
    const Rates out { c.slot("beta", d.valueHeads), c.slot("alpha", d.valueHeads) };
    const auto width = c.width(in);
    if (!c.has("ssm_ba.weight")) {
        const auto beta = c.linear("ssm_beta", width, d.valueHeads);
        const auto alpha = c.linear("ssm_alpha", width, d.valueHeads);
        c.add(op::Linear {
            in,
            { { beta.matrix, beta.bias, out.beta }, { alpha.matrix, alpha.bias, out.alpha } } });
        return out;
    }
    // beta and alpha of the value heads of each key head, in turn
    const auto both = c.slot("beta and alpha", 2 * d.valueHeads);
    const auto share = d.valueHeads / d.keyHeads;
    c.linear(in, c.linear("ssm_ba", width, 2ULL * d.valueHeads), both);
    c.add(op::CopyPieces { both, { 0, 2 * share }, out.beta, { 0, share }, d.keyHeads, share });
    c.add(
        op::CopyPieces { both, { share, 2 * share }, out.alpha, { 0, share }, d.keyHeads, share });
    return out;
}

void deltaNet(Composer& c, const Delta& d, bool isInterleaved, Slot in, Slot out)
{
    const auto width = c.width(in);
    const auto channels = 2 * d.keys() + d.values();
    const auto mixed = c.slot("query, key, value", channels);
    const auto gate = c.slot("delta gate", d.values());
    const auto made = c.slot("delta", d.values());
    const auto qkv = c.linear("attn_qkv", width, channels);
    const auto z = c.linear("attn_gate", width, d.values());
    c.add(op::Linear { in, { { qkv.matrix, qkv.bias, mixed }, { z.matrix, z.bias, gate } } });
    const auto rate = rates(c, d, in);
    c.add(op::ShortConv { mixed, c.matrix("ssm_conv1d.weight", d.kernel, channels), nullptr,
                          c.state((d.kernel - 1) * channels), Activation::Silu, mixed });
    c.add(op::GatedDelta { .query = mixed,
                           .queryOffset = 0,
                           .key = mixed,
                           .keyOffset = d.keys(),
                           .value = mixed,
                           .valueOffset = 2 * d.keys(),
                           .alpha = rate.alpha,
                           .beta = rate.beta,
                           .a = c.vector("ssm_a", d.valueHeads),
                           .dt = c.vector("ssm_dt.bias", d.valueHeads),
                           .keyHeads = d.keyHeads,
                           .valueHeads = d.valueHeads,
                           .keyLength = d.length,
                           .valueLength = d.length,
                           .interleaved = isInterleaved,
                           .epsilon = c.hparams().rmsEpsilon,
                           .state = c.state(d.valueHeads * d.length * d.length),
                           .out = made });
    c.add(op::RmsNorm { made, c.vector("ssm_norm.weight", d.length), c.hparams().rmsEpsilon, made,
                        d.valueHeads });
    c.add(op::Gate { gate, made, Activation::Silu });
    c.linear(gate, c.linear("ssm_out", d.values(), c.width(out)), out);
}

void compose(Composer& c, bool isInterleaved)
{
    const auto stream = parts::embed(c);
    const auto delta = readDelta(c);
    parts::AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Halves);
    attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    attention.gated = true;
    parts::FeedForwardStyle layer;
    layer.experts = parts::readExperts(c);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const auto count = parts::blocks(c);
    for (std::uint32_t block = 0; block < count; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        if ((block + 1) % delta.interval == 0) {
            parts::attention(c, normed, branch, attention);
        } else {
            deltaNet(c, delta, isInterleaved, normed, branch);
        }
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "post_attention_norm", stream.residual, normed);
        parts::feedForward(c, layer, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream);
}

} // namespace

void composeQwen3Next(Composer& c)
{
    compose(c, false);
}

void composeQwen35(Composer& c)
{
    compose(c, true); // value heads were put in another order when the file was made
}

} // namespace engine::model
