// SmolLM3: llama in which every fourth block has no rotation (NoPE). Source: Hugging Face's
// SmolLM3 article, arXiv 2501.18795.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

void composeSmollm3(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto* rope = parts::rope(c, RopePairs::Adjacent);
    parts::BlockStyle style;
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        style.attention.rope = block % 4 == 3 ? nullptr : rope;
        parts::preNormBlock(c, stream, style);
    }
    parts::finish(c, stream);
}

} // namespace engine::model
