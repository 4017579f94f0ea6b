// EXAONE 4: branches normed at their end only, norms of the heads; with a window (32B) every fourth
// block sees everything and has no rotation. Source: arXiv 2507.11407.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeExaone4(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto* rope = parts::rope(c, RopePairs::Halves);
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 4);
    parts::BlockStyle style;
    auto& attention = style.attention;
    attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        const bool isFar = window != 0 && !windowed[block];
        attention.rope = isFar ? nullptr : rope;
        attention.window = isFar ? 0 : window;
        parts::postNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
