// Models whose blocks are llama's but for small things: InternLM 2, XVERSE, ERNIE 4.5, Arcee,
// EXAONE 3, Seed-OSS, Hunyuan, Qwen 1, Baichuan, MiniCPM, Apertus, Llama-Nemotron (DeciLM). Source:
// the models' cards and published configurations; arXiv 2403.17297 (InternLM 2), 2412.04862
// (EXAONE 3.5), 2309.10305 (Baichuan 2), 2404.06395 (MiniCPM), 2411.13010 (xIELU), 2411.19146
// (Puzzle, of the Nemotrons).
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/softplus.h"

#include <cmath>

namespace engine::model {

namespace {

using parts::AttentionStyle;

parts::BlockStyle usualStyle(Composer& c, RopePairs pairs)
{
    parts::BlockStyle style;
    style.attention.rope = parts::rope(c, pairs);
    return style;
}

} // namespace

void composeInternlm2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, usualStyle(c, RopePairs::Adjacent));
}

void composeExaone(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, usualStyle(c, RopePairs::Halves));
}

void composeErnie45(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = usualStyle(c, RopePairs::Adjacent);
    style.feedForward.experts = parts::readExperts(c);
    parts::preNormModel(c, stream, style);
}

void composeArcee(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = usualStyle(c, RopePairs::Adjacent);
    style.feedForward = { parts::FeedForward::Plain, Activation::ReluSquared };
    parts::preNormModel(c, stream, style);
}

void composeSeedOss(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = usualStyle(c, RopePairs::Halves);
    style.secondNorm = "post_attention_norm";
    parts::preNormModel(c, stream, style);
}

void composeHunyuan(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = usualStyle(c, RopePairs::Halves);
    style.attention.qkNorm = AttentionStyle::QkNorm::Heads;
    style.attention.normAfterRope = true;
    parts::Experts usual;
    usual.sharedWidth = c.hparams().feedForwardLengths.front();
    style.feedForward.experts = parts::readExperts(c, usual);
    parts::preNormModel(c, stream, style);
}

void composeQwen(Composer& c)
{
    const auto stream = parts::embed(c);
    // the file counts the gate's rows and the other half's together
    auto style = usualStyle(c, RopePairs::Halves);
    style.feedForward.halfWidth = true;
    parts::preNormModel(c, stream, style);
}

void composeBaichuan(Composer& c)
{
    const auto stream = parts::embed(c);
    constexpr std::uint32_t blocksOfLarge = 40; // 13B: no rotation
    auto style = usualStyle(c, RopePairs::Adjacent);
    if (c.hparams().blockCount == blocksOfLarge) {
        style.attention.rope = nullptr;
        style.attention.alibi = 8.0F;
    }
    parts::preNormModel(c, stream, style);
}

void composeMinicpm(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    auto& keys = c.keys();
    auto* rope = parts::rope(c, RopePairs::Adjacent);
    parts::useLongFactors(c, *rope);
    parts::BlockStyle style;
    style.attention.rope = rope;
    style.feedForward.experts = parts::readExperts(c);
    const float depth = 1.4F / std::sqrt(static_cast<float>(h.blockCount));
    style.residualScale = keys.number("residual_scale", depth, 1e-6F, 1e6F);
    parts::scale(c, stream.residual, keys.number("embedding_scale", 12.0F, 1e-6F, 1e6F));
    const float width = static_cast<float>(h.embeddingLength) / 256.0F;
    parts::Ending ending;
    ending.logitScale = 1.0F / keys.number("logit_scale", width, 1e-6F, 1e6F);
    parts::preNormModel(c, stream, style, ending);
}

void composeApertus(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    constexpr float most = 1e3F;
    const auto read = [&](const char* name, float usual) {
        return c.keys().numbersPerBlock(name, h.blockCount, usual, -most, most);
    };
    const auto negative = read("xielu.alpha_n", 0.0F);
    const auto positive = read("xielu.alpha_p", 0.0F);
    const auto beta = read("xielu.beta", 0.5F);
    const auto epsilon = read("xielu.eps", -1e-6F);
    auto* rope = parts::rope(c, RopePairs::Halves);
    parts::useLongFactors(c, *rope);
    AttentionStyle attention;
    attention.rope = rope;
    attention.qkNorm = AttentionStyle::QkNorm::Heads;
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t i = 0; i < h.blockCount; ++i) {
        c.enter(i);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        parts::attention(c, normed, branch, attention);
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
        const auto f = h.feedForwardLengths[i];
        const auto up = c.slot("up", f);
        c.linear(normed, c.linear("ffn_up", h.embeddingLength, f), up);
        c.add(op::Xielu { up, beta[i] + softplus(negative[i]), softplus(positive[i]), beta[i],
                          epsilon[i] });
        c.linear(up, c.linear("ffn_down", f, h.embeddingLength), branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream);
}

void composeDeci(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Adjacent);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        if (h.headCounts[block] != 0) {
            parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
            if (h.headCountsKv[block] == 0) { // nothing but a matrix took attention's place
                const auto d = h.embeddingLength;
                c.linear(normed, c.linear("attn_output", d, d), branch);
            } else {
                parts::attention(c, normed, branch, attention);
            }
            c.add(op::Add { stream.residual, branch });
        }
        if (h.feedForwardLengths[block] != 0) {
            parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
            parts::feedForward(c, parts::FeedForward::Gated, Activation::Silu, normed, branch);
            c.add(op::Add { stream.residual, branch });
        }
    }
    parts::finish(c, stream);
}

} // namespace engine::model
