// Qwen 2, 2.5 and 3, dense and with experts: q, k, v biases in the second generation, norms of the
// heads in the third. Source: arXiv 2407.10671, 2505.09388.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeQwen2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

void composeQwen3(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c);
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    style.attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
