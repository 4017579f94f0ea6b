// One function an architecture family: asks for its tensors and writes its ops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/composer.h"

namespace engine::model {

void composeBloom(Composer& c);
void composeCommandR(Composer& c);
void composeDeepseek2(Composer& c);
void composeFalcon(Composer& c);
void composeGemma(Composer& c);
void composeGemma2(Composer& c);
void composeGemma3(Composer& c);
void composeGlm4(Composer& c);
void composeGpt2(Composer& c);
void composeGptNeox(Composer& c);
void composeGptOss(Composer& c);
void composeGranite(Composer& c);
void composeLfm2(Composer& c);
void composeLlama(Composer& c);
void composeMistral3(Composer& c);
void composeMpt(Composer& c);
void composeOlmo2(Composer& c);
void composePhi2(Composer& c);
void composePhi3(Composer& c);
void composeQwen2(Composer& c);
void composeQwen3(Composer& c);
void composeQwen35(Composer& c);
void composeQwen3Next(Composer& c);
void composeSmollm3(Composer& c);
void composeStablelm(Composer& c);
void composeStarcoder2(Composer& c);

} // namespace engine::model
