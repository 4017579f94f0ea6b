#include "engine/model/architectures/parts.h"

#include <cmath>

namespace engine::model::parts {

void norm(Composer& c, Norms kind, const std::string& name, Slot in, Slot out)
{
    const auto width = c.width(in);
    const auto* weight = c.vector(name + ".weight", width);
    if (kind == Norms::Rms) {
        c.add(op::RmsNorm { in, weight, c.hparams().rmsEpsilon, out });
        return;
    }
    const auto* bias = c.optionalVector(name + ".bias", width);
    c.add(op::LayerNorm { in, weight, bias, c.hparams().layerNormEpsilon, out });
}

Stream embed(Composer& c)
{
    const auto& h = c.hparams();
    c.leave();
    const Stream stream { c.matrix("token_embd.weight", h.embeddingLength, h.vocabularySize),
                          wide(c, "residual") };
    c.add(op::Embed { stream.table, stream.residual });
    return stream;
}

Slot wide(Composer& c, const std::string& name)
{
    return c.slot(name, c.hparams().embeddingLength);
}

void scale(Composer& c, Slot values, float factor)
{
    if (factor != 1.0F) {
        c.add(op::Scale { values, factor });
    }
}

std::uint32_t blocks(Composer& c)
{
    const auto all = c.hparams().blockCount;
    const auto ahead = c.keys().optional("nextn_predict_layers", 0, 0, all - 1);
    for (std::uint32_t i = all - ahead; i < all; ++i) {
        c.leaveOutBlock(i);
    }
    return all - ahead;
}

void finish(Composer& c, const Stream& stream, const Ending& ending)
{
    const auto& h = c.hparams();
    c.leave();
    const auto last = wide(c, "last");
    const auto logits = c.slot("logits", h.vocabularySize);
    c.add(op::KeepOutputs { stream.residual, last });
    if (ending.norm.empty()) {
        c.add(op::LayerNorm { last, nullptr, nullptr, h.layerNormEpsilon, last });
    } else {
        norm(c, ending.norms, ending.norm, last, last);
    }
    const auto* output = c.optionalMatrix("output.weight", h.embeddingLength, h.vocabularySize);
    const auto* bias = c.optionalVector("output.bias", h.vocabularySize);
    c.linear(last, { output ? output : stream.table, bias }, logits);
    scale(c, logits, ending.logitScale);
    if (ending.softCap != 0.0F) {
        c.add(op::SoftCap { logits, ending.softCap });
    }
    c.setLogits(logits);
}

void preNormBlock(Composer& c, const Stream& stream, const BlockStyle& style)
{
    const auto normed = wide(c, "normed");
    const auto branch = wide(c, "branch");
    norm(c, style.norms, "attn_norm", stream.residual, normed);
    attention(c, normed, branch, style.attention);
    scale(c, branch, style.residualScale);
    c.add(op::Add { stream.residual, branch });
    norm(c, style.norms, style.secondNorm, stream.residual, normed);
    feedForward(c, style.feedForward, normed, branch);
    scale(c, branch, style.residualScale);
    c.add(op::Add { stream.residual, branch });
}

void preNormModel(Composer& c, const Stream& stream, const BlockStyle& style, const Ending& ending)
{
    const auto count = blocks(c);
    for (std::uint32_t block = 0; block < count; ++block) {
        c.enter(block);
        preNormBlock(c, stream, style);
    }
    finish(c, stream, ending);
}

void parallelBlock(Composer& c, const Stream& stream, const BlockStyle& style)
{
    const auto normed = wide(c, "normed");
    const auto branch = wide(c, "branch");
    const auto second = wide(c, "second branch");
    norm(c, style.norms, "attn_norm", stream.residual, normed);
    attention(c, normed, branch, style.attention);
    feedForward(c, style.feedForward, normed, second);
    c.add(op::Add { stream.residual, branch });
    c.add(op::Add { stream.residual, second });
}

void sandwichBlock(Composer& c, const Stream& stream, const BlockStyle& style)
{
    const auto normed = wide(c, "normed");
    const auto branch = wide(c, "branch");
    norm(c, style.norms, "attn_norm", stream.residual, normed);
    attention(c, normed, branch, style.attention);
    norm(c, style.norms, "post_attention_norm", branch, branch);
    c.add(op::Add { stream.residual, branch });
    norm(c, style.norms, style.secondNorm, stream.residual, normed);
    feedForward(c, style.feedForward, normed, branch);
    norm(c, style.norms, "post_ffw_norm", branch, branch);
    c.add(op::Add { stream.residual, branch });
}

void postNormBlock(Composer& c, const Stream& stream, const BlockStyle& style)
{
    const auto branch = wide(c, "branch");
    attention(c, stream.residual, branch, style.attention);
    norm(c, style.norms, "post_attention_norm", branch, branch);
    c.add(op::Add { stream.residual, branch });
    feedForward(c, style.feedForward, stream.residual, branch);
    norm(c, style.norms, "post_ffw_norm", branch, branch);
    c.add(op::Add { stream.residual, branch });
}

RopeParameters* rope(Composer& c, RopePairs pairs)
{
    const auto& h = c.hparams();
    c.leave();
    const auto* factors = c.optionalVector("rope_freqs.weight", h.ropeDimensions / 2);
    RopeParameters p;
    p.dimensions = h.ropeDimensions;
    p.base = h.ropeBase;
    p.scale = h.ropeScaling == RopeScaling::None ? 1.0F : 1.0F / h.ropeFactor;
    p.factors = factors ? factors->values() : std::span<const float>();
    p.yarn = h.ropeScaling == RopeScaling::Yarn && h.yarnExtrapolation != 0.0F;
    p.originalContext = h.ropeOriginalContext;
    p.extrapolation = h.yarnExtrapolation;
    p.attentionFactor = h.yarnAttentionFactor;
    p.betaFast = h.yarnBetaFast;
    p.betaSlow = h.yarnBetaSlow;
    p.pairs = pairs;
    return c.rope(p);
}

void cancelYarnGrowth(RopeParameters& rope)
{
    if (rope.yarn) {
        rope.attentionFactor /= 1.0F + 0.1F * std::log(1.0F / rope.scale);
    }
}

void useLongFactors(Composer& c, RopeParameters& rope)
{
    const auto pairs = rope.dimensions / 2;
    if (const auto* factors = c.optionalVector("rope_factors_short.weight", pairs)) {
        rope.factors = factors->values();
    }
    if (const auto* factors = c.optionalVector("rope_factors_long.weight", pairs)) {
        rope.longFactors = factors->values();
    }
}

std::vector<bool> windowedBlocks(Composer& c, std::uint32_t usual)
{
    const auto blocks = c.hparams().blockCount;
    const std::string name = "attention.sliding_window_pattern";
    std::vector<bool> windowed(blocks, true);
    if (c.keys().isArray(name)) {
        const auto flags = c.keys().perBlock(name, blocks, 0, 0, 1);
        std::copy(flags.begin(), flags.end(), windowed.begin());
        return windowed;
    }
    const auto every = c.keys().optional(name, usual, 0, blocks);
    for (std::uint32_t i = 0; every != 0 && i < blocks; ++i) {
        windowed[i] = i % every + 1 < every;
    }
    return windowed;
}

} // namespace engine::model::parts
