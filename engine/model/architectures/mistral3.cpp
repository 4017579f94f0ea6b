// Ministral 3: llama with YaRN whose growth the temperature of far positions replaces. Source: the
// model's published configuration and code in Hugging Face transformers.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

#include <cmath>

namespace engine::model {

void composeMistral3(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    auto* rope = parts::rope(c, RopePairs::Adjacent);
    if (h.yarnLogMultiplier != 0.0F) {
        parts::cancelYarnGrowth(*rope);
        const float grown = std::log(h.ropeFactor);
        rope->attentionFactor *=
            (1.0F + 0.1F * grown) / (1.0F + 0.1F * h.yarnLogMultiplier * grown);
    }
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c);
    style.attention.rope = rope;
    style.attention.temperature = c.keys().number("attention.temperature_scale", 0.0F, 0.0F, 1e3F);
    style.attention.temperatureSpan = static_cast<float>(h.ropeOriginalContext);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
