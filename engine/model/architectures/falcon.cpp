// Falcon 7B and 40B: parallel branches, one norm for both or one each. Source: arXiv 2311.16867.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeFalcon(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Halves);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        const bool hasTwo = c.has("attn_norm_2.weight");
        parts::norm(c, parts::Norms::Layer, hasTwo ? "attn_norm_2" : "attn_norm", stream.residual,
                    normed);
        parts::attention(c, normed, branch, attention);
        if (hasTwo) {
            parts::norm(c, parts::Norms::Layer, "attn_norm", stream.residual, normed);
        }
        c.add(op::Add { stream.residual, branch });
        parts::feedForward(c, parts::FeedForward::Plain, Activation::Gelu, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::finish(c, stream, { parts::Norms::Layer });
}

} // namespace engine::model
