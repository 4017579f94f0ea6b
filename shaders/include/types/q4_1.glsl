// Q4_1, see BlockQ4_1.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 20u;
const uint UNIT = 32u;

/// Two levels a byte; returns scale and minimum.
vec2 levelsOf(uint blockByte, out uvec4 q)
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const uvec4 c = bits16(weights, blockByte / 16u + 2u); // of a block at byte 14
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    const bool by2 = (blockByte & 2u) != 0u;
    const uvec4 low = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec3 high = by8 ? uvec3(b.zw, c.x) : b.xyz;
    const uvec4 v = by4 ? uvec4(low.yzw, high.x) : low;
    const uvec2 end = by4 ? high.yz : high.xy;
    q = by2 ? uvec4(v.yzw, end.x) >> 16 | uvec4(v.zw, end) << 16 : uvec4(v.yzw, end.x);
    return unpackHalf2x16(by2 ? v.x >> 16 | v.y << 16 : v.x);
}

/// What is written is q of scale · q + minimum; returns both.
vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    uvec4 q;
    const vec2 form = levelsOf(blockByte, q);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = lowNibbles(q[i]);
        w[i + 4u] = highNibbles(q[i]);
    }
    return form;
}

#define CODES_HAVE_MINIMUM
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    uvec4 q;
    const vec2 form = levelsOf(blockByte, q);
    codes[0] = q & 0x0f0f0f0fu;
    codes[1] = q >> 4u & 0x0f0f0f0fu;
    return form;
}
#include "types/affine.glsl"
