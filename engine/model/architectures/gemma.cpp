// Gemma 1 to 3: embeddings scaled by the root of their width, GELU gates; norms behind the
// branches, soft caps and windows in turn from the second generation on; norms of the heads and a
// rotation of its own for the windowed blocks in the third. Source: arXiv 2403.08295, 2408.00118,
// 2503.19786.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

#include <cmath>

namespace engine::model {

namespace {

constexpr std::uint32_t kMostWindow = 1U << 28U;

parts::Stream embedScaled(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::scale(c, stream.residual, std::sqrt(float(c.hparams().embeddingLength)));
    return stream;
}

/// The 27B models of both generations divide by the width of a head's share of the embedding
/// (configuration: query_pre_attn_scalar); the number of blocks tells them apart.
float queryScale(Composer& c, std::uint32_t blocksOfLargest)
{
    const auto& h = c.hparams();
    return h.blockCount == blocksOfLargest
        ? std::sqrt(float(h.headCount) / float(h.embeddingLength))
        : parts::usualScale(h);
}

} // namespace

void composeGemma(Composer& c)
{
    const auto stream = embedScaled(c);
    parts::BlockStyle style;
    style.feedForward.function = Activation::Gelu;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

void composeGemma2(Composer& c)
{
    const auto stream = embedScaled(c);
    parts::BlockStyle style;
    style.feedForward.function = Activation::Gelu;
    auto& attention = style.attention;
    attention.rope = parts::rope(c, RopePairs::Halves);
    attention.softCap = c.keys().number("attn_logit_softcapping", 50.0F, 0.0F, 1e6F);
    attention.scale = queryScale(c, 46);
    const auto window = c.keys().optional("attention.sliding_window", 4096, 0, kMostWindow);
    const auto windowed = parts::windowedBlocks(c, 2);
    parts::Ending ending;
    ending.softCap = c.keys().number("final_logit_softcapping", 30.0F, 0.0F, 1e6F);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        attention.window = windowed[block] ? window : 0;
        parts::sandwichBlock(c, stream, style);
    }
    parts::finish(c, stream, ending);
}

void composeGemma3(Composer& c)
{
    const auto stream = embedScaled(c);
    const auto* far = parts::rope(c, RopePairs::Halves);
    auto* near = parts::rope(c, RopePairs::Halves);
    near->base = c.keys().number("rope.freq_base_swa", 10000.0F, 1.0F, 1e9F);
    near->scale = 1.0F;
    near->yarn = false;
    near->attentionFactor = 1.0F;
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, kMostWindow);
    const auto windowed = parts::windowedBlocks(c, 6);
    parts::BlockStyle style;
    style.feedForward.function = Activation::Gelu;
    style.attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    style.attention.scale = queryScale(c, 62);
    parts::Ending ending;
    ending.softCap = c.keys().number("final_logit_softcapping", 0.0F, 0.0F, 1e6F);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        const bool isNear = windowed[block] && window != 0;
        style.attention.rope = isNear ? near : far;
        style.attention.window = isNear ? window : 0;
        parts::sandwichBlock(c, stream, style);
    }
    parts::finish(c, stream, ending);
}

} // namespace engine::model
