// decodeUnit of types whose units have one scale: behind their decodeScaled.
// SPDX-License-Identifier: Apache-2.0
#define HAS_SCALE

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const float scale = decodeScaled(blockByte, unit, w);
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        w[i] *= scale;
    }
}
