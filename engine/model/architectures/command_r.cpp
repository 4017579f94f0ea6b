// Command R: parallel branches, layer norms without bias, scaled logits; norms of the heads in the
// large one. Command R7B and A (cohere2): windows with rotation, every fourth block all of the
// context without. Source: Cohere's model cards and configuration. SPDX-License-Identifier:
// Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeCommandR(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.attention.rope = parts::rope(c, RopePairs::Adjacent);
    style.attention.qkNorm = parts::AttentionStyle::QkNorm::OwnHeads;
    style.attention.norms = parts::Norms::Layer;
    parts::Ending ending { parts::Norms::Layer };
    ending.logitScale = c.keys().number("logit_scale", 1.0F, 1e-6F, 1e6F);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::parallelBlock(c, stream, style);
    }
    parts::finish(c, stream, ending);
}

void composeCohere2(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto* rope = parts::rope(c, RopePairs::Adjacent);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 4);
    parts::Ending ending { parts::Norms::Layer };
    ending.logitScale = c.keys().number("logit_scale", 1.0F, 1e-6F, 1e6F);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        style.attention.window = windowed[block] ? window : 0;
        style.attention.rope = windowed[block] ? rope : nullptr;
        parts::parallelBlock(c, stream, style);
    }
    parts::finish(c, stream, ending);
}

} // namespace engine::model
