// ChatGLM 3 and GLM-4-9B (norms before the branches only), GLM-4 (0414): branches normed at both
// ends, half of each head rotated, gate and up fused. Source: arXiv 2406.12793 and the model's
// published code. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeGlm4(Composer& c)
{
    const auto stream = parts::embed(c);
    // models that see pictures (GLM-4.1V, GLM-4.6V) cut the rotation in sections, which are one for
    // text, and pair halves
    const auto sections = c.keys().perBlock("rope.dimension_sections", 0, 0, 0, 1U << 16U);
    const bool isCut = sections.size() > 1 && sections[0] != 0 && sections[1] != 0;
    parts::BlockStyle style;
    style.attention.rope = parts::rope(c, isCut ? RopePairs::Halves : RopePairs::Adjacent);
    style.feedForward.kind = parts::FeedForward::FusedGate;
    const auto count = parts::blocks(c);
    for (std::uint32_t block = 0; block < count; ++block) {
        c.enter(block);
        parts::sandwichBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

void composeChatGlm(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.attention.rope = parts::rope(c, RopePairs::Adjacent);
    style.feedForward.kind = parts::FeedForward::FusedGate;
    parts::preNormModel(c, stream, style);
}

} // namespace engine::model
