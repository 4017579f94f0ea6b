// Q2_0, see BlockQ2_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 64u;
const uint BLOCK_BYTES = 18u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 quants = bytes8(blockByte + 2u + 8u * unit);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint byte = quants[i / 4u] >> i % 4u * 8u;
        w[i] = vec4(ivec4(uvec4(byte) >> uvec4(0u, 2u, 4u, 6u) & 3u) - 1);
    }
    return halfAt(blockByte);
}
#include "types/scaled.glsl"
