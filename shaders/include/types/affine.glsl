// decodeUnit of types whose units have one scale and one minimum: behind their decodeAffine.
// SPDX-License-Identifier: Apache-2.0
#define HAS_AFFINE

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const vec2 form = decodeAffine(blockByte, unit, w);
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        w[i] = w[i] * form.x + form.y;
    }
}
