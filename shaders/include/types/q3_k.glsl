// Q3_K, see BlockQ3_K. A unit has two groups.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 110u;
const uint UNIT = 32u;

/// Of the two groups, see unpackScalesQ3K.
vec2 subScales(uint blockByte, uint unit)
{
    const uint low = bytes2(blockByte + 96u + unit % 4u * 2u) >> unit / 4u * 4u;
    const uint high = bytes2(blockByte + 104u + unit % 2u * 2u) >> unit / 2u * 2u;
    return vec2(ivec2(low & 15u | (high & 3u) << 4u, low >> 8u & 15u | (high >> 8u & 3u) << 4u)
                - 32);
}

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const vec2 scales = halfAt(blockByte + 108u) * subScales(blockByte, unit);
    const uint quants = blockByte + 32u + unit / 4u * 32u;
    const uvec4 low[2] = { bytes16(quants), bytes16(quants + 16u) };
    const uvec4 high[2] = { bytes16(blockByte), bytes16(blockByte + 16u) };
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uvec4 level = fields(low[i / 4u][i % 4u], unit % 4u * 2u, 3u)
            | fields(high[i / 4u][i % 4u], unit, 1u) << 2u;
        w[i] = vec4(ivec4(level) - 4) * scales[i / 4u];
    }
}

#define CODES_HAVE_TWO_SCALES
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    const uint quants = blockByte + 32u + unit / 4u * 32u;
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        const uvec4 low = bytes16(quants + 16u * i) >> unit % 4u * 2u & 0x03030303u;
        const uvec4 high = bytes16(blockByte + 16u * i) >> unit & 0x01010101u;
        codes[i] = lessened(low | high << 2u, 4u);
    }
    return halfAt(blockByte + 108u) * subScales(blockByte, unit);
}
