// Llama 4: experts in every nth block beside a shared one, three of four blocks see a stretch of
// the context, the fourth all of it without rotation. Source: Meta's model card and the model's
// code in Hugging Face transformers. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeLlama4(Composer& c)
{
    const auto stream = parts::embed(c);
    constexpr std::uint32_t stretch = 8192; // no key has it
    constexpr std::uint32_t expertsOfMaverick = 128; // the one without norms of q and k
    auto& keys = c.keys();
    parts::Experts usual;
    usual.gating = op::Route::Gating::Sigmoid;
    usual.normalize = false;
    parts::BlockStyle style;
    auto& experts = style.feedForward.experts;
    experts = parts::readExperts(c, usual);
    experts.gating = usual.gating;
    experts.weighInput = true;
    experts.sharedWidth = experts.width;
    const auto* rope = parts::rope(c, RopePairs::Adjacent);
    // a window of 0 says that there are no stretches
    const bool isChunked = keys.optional("attention.sliding_window", stretch, 0, 1U << 28U) != 0;
    const auto near = parts::windowedBlocks(c, 4);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        const bool isNear = !isChunked || near[block];
        auto& attention = style.attention;
        attention.chunk = isChunked && isNear ? stretch : 0;
        attention.rope = isNear ? rope : nullptr;
        attention.normAfterRope = true;
        attention.qkNorm = isNear && experts.count != expertsOfMaverick
            ? parts::AttentionStyle::QkNorm::Bare
            : parts::AttentionStyle::QkNorm::None;
        attention.temperature = isNear ? 0.0F : 0.1F;
        attention.temperatureSpan = static_cast<float>(stretch);
        attention.temperatureOffset = 1.0F;
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
