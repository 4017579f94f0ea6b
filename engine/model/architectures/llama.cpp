// The llama family, dense and with experts: Llama 1 to 3, Mistral, Mixtral, TinyLlama, SmolLM2.
// Source: arXiv 2302.13971, 2401.04088 and the GGUF specification's tensor names; Llama 3.1's
// frequency divisors come as the tensor rope_freqs.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeLlama(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::BlockStyle style;
    style.feedForward.experts = parts::readExperts(c);
    style.attention.rope = parts::rope(c, RopePairs::Adjacent);
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
