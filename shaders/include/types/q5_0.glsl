// Q5_0, see BlockQ5_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/five_bits.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 22u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint highBits = bytes4(blockByte + 2u);
    const uvec4 quants = bytes16(blockByte + 6u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        w[i] = vec4(ivec4(fiveBits(quants, highBits, i)) - 16);
    }
    return halfAt(blockByte);
}

vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    fiveBitCodes(bytes16(blockByte + 6u), bytes4(blockByte + 2u), codes);
    codes[0] = lessened(codes[0], 16u);
    codes[1] = lessened(codes[1], 16u);
    return vec2(halfAt(blockByte), 0.0);
}
#include "types/scaled.glsl"
