// I16.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 2u;
const uint UNIT = 8u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 words = bytes16(blockByte + 2u * UNIT * unit);
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        const uvec2 pair = i == 0u ? words.xy : words.zw;
        w[i] = vec4(ivec4(pair.xxyy << uvec4(16u, 0u, 16u, 0u)) >> 16);
    }
}
