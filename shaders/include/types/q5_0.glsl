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
#include "types/scaled.glsl"
