// OLMo 2 and 3: branches normed at their end only, q and k normed over all heads; windows in three
// of four blocks in the third generation. Source: arXiv 2501.00656.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeOlmo2(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto* far = parts::rope(c, RopePairs::Halves);
    auto* near = parts::rope(c, RopePairs::Halves);
    near->scale = 1.0F;
    near->yarn = false;
    near->attentionFactor = 1.0F;
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 4);
    parts::BlockStyle style;
    auto& attention = style.attention;
    attention.qkNorm = parts::AttentionStyle::QkNorm::Row;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        const bool isNear = windowed[block] && window != 0;
        attention.rope = isNear ? near : far;
        attention.window = isNear ? window : 0;
        parts::postNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
