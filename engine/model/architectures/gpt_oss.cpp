// gpt-oss: experts with biases and clamped gates, attention sinks, windows in every other block.
// Source: OpenAI's model card (arXiv 2508.10925) and reference code.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeGptOss(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::Experts usual;
    usual.gating = op::Route::Gating::SoftmaxOfChosen;
    usual.normalize = false;
    usual.limit = 7.0F;
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c, usual);
    style.secondNorm = "post_attention_norm";
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    style.attention.sinks = true;
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 2);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        style.attention.window = windowed[block] ? window : 0;
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
