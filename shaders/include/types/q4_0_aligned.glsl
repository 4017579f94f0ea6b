// Q4_0 two blocks at a time, which begin at a multiple of 4 bytes: fewer pieces to fetch.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 64u;
const uint BLOCK_BYTES = 36u;
const uint UNIT = 64u;
#define HAS_FORMS
const uint FORMS = 2u;

void decodeForms(uint blockByte, uint unit, out vec4 w[UNIT / 4u], out vec2 forms[FORMS])
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const uvec4 c = bits16(weights, blockByte / 16u + 2u);
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    const uvec4 a8 = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec4 b8 = by8 ? uvec4(b.zw, c.xy) : b;
    const uvec2 c8 = by8 ? c.zw : c.xy;
    const uvec4 a4 = by4 ? uvec4(a8.yzw, b8.x) : a8;
    const uvec4 b4 = by4 ? uvec4(b8.yzw, c8.x) : b8;
    const uint c4 = by4 ? c8.y : c8.x;
    const uvec4 q = a4 >> 16 | uvec4(a4.yzw, b4.x) << 16;
    const uvec4 p = uvec4(b4.yzw, c4);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = lowNibbles(q[i]);
        w[i + 4u] = highNibbles(q[i]);
        w[i + 8u] = lowNibbles(p[i]);
        w[i + 12u] = highNibbles(p[i]);
    }
    const vec2 scales = vec2(unpackHalf2x16(a4.x).x, unpackHalf2x16(b4.x).y);
    forms[0] = vec2(scales.x, -8.0 * scales.x);
    forms[1] = vec2(scales.y, -8.0 * scales.y);
}
