// Q4_1 two blocks at a time, which begin at a multiple of 8 bytes: three pieces hold them.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 64u;
const uint BLOCK_BYTES = 40u;
const uint UNIT = 64u;
#define HAS_FORMS
const uint FORMS = 2u;

void decodeForms(uint blockByte, uint unit, out vec4 w[UNIT / 4u], out vec2 forms[FORMS])
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const uvec4 c = bits16(weights, blockByte / 16u + 2u);
    const bool by8 = (blockByte & 8u) != 0u;
    const uvec4 v0 = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec4 v1 = by8 ? uvec4(b.zw, c.xy) : b;
    const uvec2 v2 = by8 ? c.zw : c.xy;
    const uvec4 q = uvec4(v0.yzw, v1.x);
    const uvec4 p = uvec4(v1.zw, v2);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = lowNibbles(q[i]);
        w[i + 4u] = highNibbles(q[i]);
        w[i + 8u] = lowNibbles(p[i]);
        w[i + 12u] = highNibbles(p[i]);
    }
    forms[0] = unpackHalf2x16(v0.x);
    forms[1] = unpackHalf2x16(v1.y);
}
