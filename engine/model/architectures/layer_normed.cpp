// Models with layer norms: Orion, Nemotron 3 and 4 (minitron), StarCoder 1, OLMo 1 (norms without
// weights). Source: arXiv 2401.12246, 2402.16819, 2305.06161, 2402.00838.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeOrion(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    parts::preNormModel(c, stream, style, { parts::Norms::Layer });
}

void composeNemotron(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    style.feedForward = { parts::FeedForward::Plain, Activation::ReluSquared };
    parts::preNormModel(c, stream, style, { parts::Norms::Layer });
}

void composeStarcoder(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.feedForward = { parts::FeedForward::Plain, Activation::Gelu };
    const auto& h = c.hparams();
    c.add(op::AddPositions { c.matrix("position_embd.weight", h.embeddingLength, h.contextLength),
                             stream.residual });
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

void composeOlmo(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    parts::AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Adjacent);
    attention.clamp = c.keys().number("attention.clamp_kqv", 0.0F, 0.0F, 1e6F);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const op::LayerNorm bare { stream.residual, nullptr, nullptr, h.layerNormEpsilon, normed };
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        c.add(bare);
        parts::attention(c, normed, branch, attention);
        c.add(op::Add { stream.residual, branch });
        c.add(bare);
        parts::feedForward(c, parts::FeedForward::Gated, Activation::Silu, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::Ending ending { parts::Norms::Layer };
    ending.norm.clear();
    parts::finish(c, stream, ending);
}

} // namespace engine::model
