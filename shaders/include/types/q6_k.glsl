// Q6_K, see BlockQ6_K. A unit has two groups.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 210u;
const uint UNIT = 32u;

/// Of the two groups.
vec2 scalesOf(uint blockByte, uint unit)
{
    const uint packed = bytes2(blockByte + 192u + 2u * unit);
    return halfAt(blockByte + 208u) * vec2(ivec2(packed << 24, packed << 16) >> 24);
}

/// Where 32 bytes are that have the unit's low nibbles.
uint nibblesAt(uint blockByte, uint unit)
{
    return blockByte + unit / 4u * 64u + unit % 2u * 32u;
}

/// … and their two high bits.
uint highBitsAt(uint blockByte, uint unit)
{
    return blockByte + 128u + unit / 4u * 32u;
}

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const vec2 scales = scalesOf(blockByte, unit);
    const uint quants = nibblesAt(blockByte, unit);
    const uint highBits = highBitsAt(blockByte, unit);
    const uvec4 low[2] = { bytes16(quants), bytes16(quants + 16u) };
    const uvec4 high[2] = { bytes16(highBits), bytes16(highBits + 16u) };
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uvec4 level = fields(low[i / 4u][i % 4u], unit / 2u % 2u * 4u, 15u)
            | fields(high[i / 4u][i % 4u], unit % 4u * 2u, 3u) << 4u;
        w[i] = vec4(ivec4(level) - 32) * scales[i / 4u];
    }
}

#define CODES_HAVE_TWO_SCALES
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    const uint nibbleShift = unit / 2u % 2u * 4u;
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        const uvec4 low = bytes16(nibblesAt(blockByte, unit) + 16u * i) >> nibbleShift & 0x0f0f0f0fu;
        const uvec4 high = bytes16(highBitsAt(blockByte, unit) + 16u * i) >> unit % 4u * 2u & 0x03030303u;
        codes[i] = lessened(low | high << 4u, 32u);
    }
    return scalesOf(blockByte, unit);
}
