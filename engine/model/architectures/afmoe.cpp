// Trinity (AFMoE): branches normed at both ends, gated attention, windows with rotation in three of
// four blocks, experts chosen by biased sigmoids. Source: Arcee's model cards and the model's code
// in Hugging Face transformers. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

#include <cmath>

namespace engine::model {

void composeAfmoe(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    parts::Experts usual;
    usual.gating = op::Route::Gating::Sigmoid;
    usual.normalize = false;
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c, usual);
    style.attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    style.attention.ownGate = true;
    const auto* rope = parts::rope(c, RopePairs::Halves);
    const auto window = c.keys().optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 4);
    parts::scale(c, stream.residual, std::sqrt(static_cast<float>(h.embeddingLength)));
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        style.attention.window = windowed[block] ? window : 0;
        style.attention.rope = windowed[block] ? rope : nullptr;
        parts::sandwichBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
