// StableLM: partial rotation; models without ffn_norm run both branches in parallel. Source: arXiv
// 2402.17834, model cards of StableLM 2 12B.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeStablelm(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    style.attention.qkNorm = parts::AttentionStyle::QkNorm::OwnHeads;
    style.attention.norms = parts::Norms::Layer;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        if (c.has("ffn_norm.weight")) {
            parts::preNormBlock(c, stream, style);
        } else {
            parts::parallelBlock(c, stream, style);
        }
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

} // namespace engine::model
