// Models of experts whose blocks are otherwise the usual ones: OLMoE, Qwen 2 MoE, DeepSeek 1, dots,
// Ling 1 and 2 (BailingMoE), MiniMax M2, GLM 4.5 to 4.7, SmallThinker. Source: arXiv 2409.02060,
// 2407.10671, 2401.06066, 2506.05767, 2503.05139, 2508.06471, 2507.20984 and the models' published
// configurations.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

namespace {

using Gating = op::Route::Gating;
using QkNorm = parts::AttentionStyle::QkNorm;

struct Kind
{
    RopePairs pairs = RopePairs::Halves;
    QkNorm qkNorm = QkNorm::None;
    Gating gating = Gating::Softmax;
    bool normalize = false;
};

parts::BlockStyle styleOf(Composer& c, const Kind& kind, std::uint32_t sharedWidth = 0)
{
    parts::Experts usual;
    usual.gating = kind.gating;
    usual.normalize = kind.normalize;
    usual.sharedWidth = sharedWidth;
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c, usual);
    style.attention.rope = parts::rope(c, kind.pairs);
    style.attention.qkNorm = kind.qkNorm;
    return style;
}

} // namespace

void composeOlmoe(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, styleOf(c, { .qkNorm = QkNorm::Row }));
}

void composeQwen2Moe(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, styleOf(c, {}, c.hparams().feedForwardLengths.front()));
}

void composeDeepseek(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, styleOf(c, { .pairs = RopePairs::Adjacent }));
}

void composeDots1(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream,
                        styleOf(c, { .qkNorm = QkNorm::Heads, .gating = Gating::Sigmoid }));
}

void composeBailingMoe(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream, styleOf(c, { .pairs = RopePairs::Adjacent }));
}

void composeBailingMoe2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(c, stream,
                        styleOf(c, { .qkNorm = QkNorm::Heads, .gating = Gating::Sigmoid }));
}

void composeMinimaxM2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::preNormModel(
        c, stream,
        styleOf(c, { .qkNorm = QkNorm::Row, .gating = Gating::Sigmoid, .normalize = true }));
}

void composeGlm4Moe(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = styleOf(c, { .qkNorm = QkNorm::Heads, .gating = Gating::Sigmoid });
    style.secondNorm = "post_attention_norm";
    parts::preNormModel(c, stream, style);
}

void composeSmallThinker(Composer& c)
{
    const auto stream = parts::embed(c);
    auto style = styleOf(c, { .normalize = true });
    auto& experts = style.feedForward.experts;
    const auto* rope = style.attention.rope;
    experts.function = Activation::Relu;
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto every = c.keys().optional("attention.sliding_window_pattern", 4, 1, 512);
    const auto routed = parts::wide(c, "router's input");
    experts.routerInput = routed;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        // the first of each group sees everything and has no rotation; the router looks ahead
        const bool isFar = window != 0 && block % every == 0;
        style.attention.rope = isFar ? nullptr : rope;
        style.attention.window = isFar ? 0 : window;
        c.add(op::CopyPieces { stream.residual, {}, routed, {}, 1, c.width(routed) });
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
