// Q1_0, see BlockQ1_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 128u;
const uint BLOCK_BYTES = 18u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint bits = bytes4(blockByte + 2u + 4u * unit);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uvec4 bit = uvec4(bits) >> 4u * i + uvec4(0u, 1u, 2u, 3u) & 1u;
        w[i] = vec4(ivec4(bit * 2u) - 1);
    }
    return halfAt(blockByte);
}
#include "types/scaled.glsl"
