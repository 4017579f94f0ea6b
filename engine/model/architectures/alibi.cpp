// MPT and BLOOM: positions as biases of the attention (ALiBi). Source: arXiv 2108.12409,
// 2211.05100, MosaicML's model cards.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

namespace {

parts::BlockStyle alibiStyle()
{
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.feedForward = { parts::FeedForward::Plain, Activation::Gelu };
    return style;
}

} // namespace

void composeMpt(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = alibiStyle();
    auto& attention = style.attention;
    attention.alibi = c.keys().number("attention.max_alibi_bias", 0.0F, 0.0F, 1e3F);
    attention.clamp = c.keys().number("attention.clamp_kqv", 0.0F, 0.0F, 1e6F);
    attention.qkNorm = parts::AttentionStyle::QkNorm::Row;
    attention.norms = parts::Norms::Layer;
    const auto& h = c.hparams();
    if (const auto* positions =
            c.optionalMatrix("position_embd.weight", h.embeddingLength, h.contextLength)) {
        c.add(op::AddPositions { positions, stream.residual });
    }
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

void composeBloom(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = alibiStyle();
    style.attention.alibi = 8.0F;
    parts::norm(c, parts::Norms::Layer, "token_embd_norm", stream.residual, stream.residual);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

} // namespace engine::model
