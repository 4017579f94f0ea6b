// One function an architecture family: asks for its tensors and writes its ops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/composer.h"

namespace engine::model {

void composeAfmoe(Composer& c);
void composeApertus(Composer& c);
void composeArcee(Composer& c);
void composeBaichuan(Composer& c);
void composeBailingMoe(Composer& c);
void composeBailingMoe2(Composer& c);
void composeBloom(Composer& c);
void composeChatGlm(Composer& c);
void composeCohere2(Composer& c);
void composeCommandR(Composer& c);
void composeDeci(Composer& c);
void composeDeepseek(Composer& c);
void composeDeepseek2(Composer& c);
void composeDots1(Composer& c);
void composeErnie45(Composer& c);
void composeExaone(Composer& c);
void composeExaone4(Composer& c);
void composeFalcon(Composer& c);
void composeFalconH1(Composer& c);
void composeGemma(Composer& c);
void composeGemma2(Composer& c);
void composeGemma3(Composer& c);
void composeGemma3n(Composer& c);
void composeGemma4(Composer& c);
void composeGlm4(Composer& c);
void composeGlm4Moe(Composer& c);
void composeGpt2(Composer& c);
void composeGptNeox(Composer& c);
void composeGptOss(Composer& c);
void composeGranite(Composer& c);
void composeGraniteHybrid(Composer& c);
void composeHunyuan(Composer& c);
void composeInternlm2(Composer& c);
void composeJamba(Composer& c);
void composeLfm2(Composer& c);
void composeLlama(Composer& c);
void composeLlama4(Composer& c);
void composeMamba(Composer& c);
void composeMamba2(Composer& c);
void composeMinicpm(Composer& c);
void composeMinicpm3(Composer& c);
void composeMinimaxM2(Composer& c);
void composeMistral3(Composer& c);
void composeMpt(Composer& c);
void composeNemotron(Composer& c);
void composeNemotronH(Composer& c);
void composeOlmo(Composer& c);
void composeOlmo2(Composer& c);
void composeOlmoe(Composer& c);
void composeOrion(Composer& c);
void composePhi2(Composer& c);
void composePhi3(Composer& c);
void composeQwen(Composer& c);
void composeQwen2(Composer& c);
void composeQwen2Moe(Composer& c);
void composeQwen3(Composer& c);
void composeQwen35(Composer& c);
void composeQwen3Next(Composer& c);
void composeSeedOss(Composer& c);
void composeSmallThinker(Composer& c);
void composeSmollm3(Composer& c);
void composeStablelm(Composer& c);
void composeStarcoder(Composer& c);
void composeStarcoder2(Composer& c);

} // namespace engine::model
