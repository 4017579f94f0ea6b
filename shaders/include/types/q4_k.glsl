// Q4_K, see BlockQ4_K: a unit is a group.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/sub_scales.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 144u;
const uint UNIT = 32u;

/// What is written is q of scale · q + minimum; returns both.
vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 head = bytes16(blockByte);
    const uint quants = blockByte + 16u + unit / 2u * 32u;
    const uvec4 a = bytes16(quants);
    const uvec4 b = bytes16(quants + 16u);
    const uint shift = unit % 2u * 4u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(ivec4(fields(a[i], shift, 15u)));
        w[i + 4u] = vec4(ivec4(fields(b[i], shift, 15u)));
    }
    return formOf(head, unit);
}

#define CODES_HAVE_MINIMUM
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    const uint quants = blockByte + 16u + unit / 2u * 32u;
    const uint shift = unit % 2u * 4u;
    codes[0] = bytes16(quants) >> shift & 0x0f0f0f0fu;
    codes[1] = bytes16(quants + 16u) >> shift & 0x0f0f0f0fu;
    return formOf(bytes16(blockByte), unit);
}
#include "types/affine.glsl"
