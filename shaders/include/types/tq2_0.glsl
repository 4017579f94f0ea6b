// TQ2_0, see BlockTQ2_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 66u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint quants = blockByte + unit / 4u * 32u;
    const uvec4 first = bytes16(quants);
    const uvec4 second = bytes16(quants + 16u);
    const uint shift = unit % 4u * 2u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(ivec4(fields(first[i], shift, 3u)) - 1);
        w[i + 4u] = vec4(ivec4(fields(second[i], shift, 3u)) - 1);
    }
    return halfAt(blockByte + 64u);
}
#include "types/scaled.glsl"
