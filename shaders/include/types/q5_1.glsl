// Q5_1, see BlockQ5_1.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/five_bits.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 24u;
const uint UNIT = 32u;

vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 head = words16(blockByte).xy;
    const uvec4 quants = words16(blockByte + 8u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        w[i] = vec4(fiveBits(quants, head.y, i));
    }
    return unpackHalf2x16(head.x);
}

#define CODES_HAVE_MINIMUM
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    const uvec2 head = words16(blockByte).xy;
    fiveBitCodes(words16(blockByte + 8u), head.y, codes);
    return unpackHalf2x16(head.x);
}
#include "types/affine.glsl"
