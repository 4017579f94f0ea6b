// State space models and hybrids: Mamba 1 (FalconMamba) and 2, Jamba, Granite 4, Falcon H1,
// Nemotron H and Nano. Source: arXiv 2312.00752, 2405.21060, 2403.19887, 2507.22448, 2504.03624 and
// IBM's model cards.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"
#include "engine/model/architectures/parts_mamba.h"

namespace engine::model {

namespace {

using parts::StateSpace;
using Layer = void (*)(Composer&, const StateSpace&, Slot, Slot);

/// Nothing but state space layers.
void composePure(Composer& c, const StateSpace& space, Layer layer)
{
    const auto stream = parts::embed(c);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        layer(c, space, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream);
}

/// State spaces take attention's place in blocks without key/value heads.
void composeMixed(Composer& c, const parts::Stream& stream, const StateSpace& space, Layer layer,
                  const parts::BlockStyle& style, const parts::Ending& ending)
{
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        if (c.hparams().headCountsKv[block] == 0) {
            layer(c, space, normed, branch);
        } else {
            parts::attention(c, normed, branch, style.attention);
        }
        parts::scale(c, branch, style.residualScale);
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
        auto layerStyle = style.feedForward;
        if (!c.has("ffn_gate_inp.weight")) {
            layerStyle.experts.count = 0;
        }
        parts::feedForward(c, layerStyle, normed, branch);
        parts::scale(c, branch, style.residualScale);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream, ending);
}

} // namespace

void composeMamba(Composer& c)
{
    composePure(c, parts::readMamba(c), parts::mamba);
}

void composeMamba2(Composer& c)
{
    composePure(c, parts::readMamba2(c), parts::mamba2);
}

void composeJamba(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::Experts usual;
    usual.normalize = false;
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c, usual);
    composeMixed(c, stream, parts::readMamba(c), parts::mamba, style, {});
}

void composeGraniteHybrid(Composer& c)
{
    const auto stream = parts::embed(c);
    auto& keys = c.keys();
    parts::scale(c, stream.residual, keys.number("embedding_scale", 1.0F, 1e-6F, 1e6F));
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c);
    // the name of the key is llama.cpp's: in these files it says whether q and k are rotated
    if (keys.flag("rope.scaling.finetuned", true)) {
        style.attention.rope = parts::rope(c, RopePairs::Adjacent);
    }
    style.attention.scale = keys.number("attention.scale", 0.0F, 0.0F, 1e3F);
    style.residualScale = keys.number("residual_scale", 1.0F, 1e-6F, 1e6F);
    parts::Ending ending;
    ending.logitScale = 1.0F / keys.number("logit_scale", 1.0F, 1e-6F, 1e6F);
    composeMixed(c, stream, parts::readMamba2(c), parts::mamba2, style, ending);
}

void composeFalconH1(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto space = parts::readMamba2(c);
    parts::AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Halves);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const auto second = parts::wide(c, "second branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        parts::mamba2(c, space, normed, second);
        parts::attention(c, normed, branch, attention);
        c.add(op::Add { branch, second });
        c.add(op::Add { stream.residual, branch });
        // this one tensor is called without ".weight"
        c.add(op::RmsNorm { stream.residual, c.vector("ffn_norm", c.width(normed)),
                            c.hparams().rmsEpsilon, normed });
        parts::feedForward(c, parts::FeedForward::Gated, Activation::Silu, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream);
}

void composeNemotronH(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    const auto space = parts::readMamba2(c);
    if (c.keys().optional("moe_latent_size", 0, 0, 1U << 20U) != 0) {
        c.refuse("experts behind a common projection", "moe_latent_size");
    }
    parts::Experts usual;
    usual.gating = op::Route::Gating::Sigmoid;
    usual.normalize = false;
    parts::FeedForwardStyle layer { parts::FeedForward::Plain, Activation::ReluSquared,
                                    parts::readExperts(c, usual) };
    layer.experts.function = Activation::ReluSquared;
    layer.experts.gated = false;
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const auto count = parts::blocks(c);
    for (std::uint32_t block = 0; block < count; ++block) {
        c.enter(block);
        // a block is one of the three
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        if (h.headCountsKv[block] != 0) {
            parts::attention(c, normed, branch, {});
        } else if (h.feedForwardLengths[block] != 0) {
            parts::feedForward(c, layer, normed, branch);
        } else {
            parts::mamba2(c, space, normed, branch);
        }
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream);
}

} // namespace engine::model
