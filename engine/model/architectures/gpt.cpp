// GPT-2, GPT-NeoX (Pythia) and StarCoder 2: layer norms and biases; learned positions, or rotated
// ones with branches in parallel or in sequence. Source: OpenAI's GPT-2 report, arXiv 2204.06745,
// 2402.19173.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

namespace {

parts::BlockStyle gptStyle()
{
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.feedForward = { parts::FeedForward::Plain, Activation::Gelu };
    return style;
}

} // namespace

void composeGpt2(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    c.add(op::AddPositions { c.matrix("position_embd.weight", h.embeddingLength, h.contextLength),
                             stream.residual });
    const auto style = gptStyle();
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

void composeGptNeox(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = gptStyle();
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    const bool isParallel = c.keys().flag("use_parallel_residual", true);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const auto second = parts::wide(c, "second branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        if (!isParallel) {
            parts::preNormBlock(c, stream, style);
            continue;
        }
        parts::norm(c, style.norms, "attn_norm", stream.residual, normed);
        parts::attention(c, normed, branch, style.attention);
        parts::norm(c, style.norms, "ffn_norm", stream.residual, normed);
        parts::feedForward(c, style.feedForward, normed, second);
        c.add(op::Add { stream.residual, branch });
        c.add(op::Add { stream.residual, second });
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

void composeStarcoder2(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = gptStyle();
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

} // namespace engine::model
