// Granite 3: llama with four multipliers. Source: IBM's model cards and configuration of Granite 3
// (embedding, residual, attention and logits multipliers).
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeGranite(Composer& c)
{
    const auto stream = parts::embed(c);
    auto& keys = c.keys();
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c);
    style.attention.rope = parts::rope(c, RopePairs::Adjacent);
    style.attention.scale = keys.number("attention.scale", 0.0F, 0.0F, 1e3F);
    style.residualScale = keys.number("residual_scale", 1.0F, 1e-6F, 1e6F);
    const float embeddingScale = keys.number("embedding_scale", 1.0F, 1e-6F, 1e6F);
    parts::Ending ending;
    ending.logitScale = 1.0F / keys.number("logit_scale", 1.0F, 1e-6F, 1e6F);
    parts::scale(c, stream.residual, embeddingScale);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream, ending);
}

} // namespace engine::model
