// Q4_0, see BlockQ4_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 18u;
const uint UNIT = 32u;
#define HAS_AFFINE

/// Two levels a byte, from 0 to 15; returns the scale.
float levelsOf(uint blockByte, out uvec4 q)
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    const bool by2 = (blockByte & 2u) != 0u;
    const uvec4 low = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec2 high = by8 ? b.zw : b.xy;
    const uvec4 v = by4 ? uvec4(low.yzw, high.x) : low;
    const uint end = by4 ? high.y : high.x;
    const uvec4 next = uvec4(v.yzw, end);
    q = by2 ? next : v >> 16 | next << 16;
    return unpackHalf2x16(by2 ? v.x >> 16 : v.x).x;
}

/// What is written is q of scale · q + minimum; returns both.
vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    uvec4 q;
    const float scale = levelsOf(blockByte, q);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = lowNibbles(q[i]);
        w[i + 4u] = highNibbles(q[i]);
    }
    return vec2(scale, -8.0 * scale);
}

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const vec2 form = decodeAffine(blockByte, unit, w);
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        w[i] = w[i] * form.x + form.y;
    }
}

vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    uvec4 q;
    const float scale = levelsOf(blockByte, q);
    codes[0] = lessened(q & 0x0f0f0f0fu, 8u);
    codes[1] = lessened(q >> 4u & 0x0f0f0f0fu, 8u);
    return vec2(scale, 0.0);
}
