// Phi 2 (parallel branches, partial rotation) and Phi 3 to 4 (fused projections, frequency
// divisors for short and long contexts). Source: Microsoft's model cards, arXiv 2404.14219.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composePhi2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.norms = parts::Norms::Layer;
    style.attention.rope = parts::rope(c, RopePairs::Halves);
    style.feedForward = { parts::FeedForward::Plain, Activation::Gelu };
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::parallelBlock(c, stream, style);
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

void composePhi3(Composer& c)
{
    const auto stream = parts::embed(c);
    auto* rope = parts::rope(c, RopePairs::Halves);
    parts::useLongFactors(c, *rope);
    parts::BlockStyle style;
    style.attention.rope = rope;
    style.feedForward.kind = parts::FeedForward::FusedGate;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
