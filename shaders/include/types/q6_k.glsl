// Q6_K, see BlockQ6_K. A unit has two groups.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 210u;
const uint UNIT = 32u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint packed = bytes2(blockByte + 192u + 2u * unit);
    const vec2 scales = halfAt(blockByte + 208u) * vec2(ivec2(packed << 24, packed << 16) >> 24);
    const uint quants = blockByte + unit / 4u * 64u + unit % 2u * 32u;
    const uint highBits = blockByte + 128u + unit / 4u * 32u;
    const uvec4 low[2] = { bytes16(quants), bytes16(quants + 16u) };
    const uvec4 high[2] = { bytes16(highBits), bytes16(highBits + 16u) };
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uvec4 level = fields(low[i / 4u][i % 4u], unit / 2u % 2u * 4u, 15u)
            | fields(high[i / 4u][i % 4u], unit % 4u * 2u, 3u) << 4u;
        w[i] = vec4(ivec4(level) - 32) * scales[i / 4u];
    }
}
