// Q8_0, see BlockQ8_0.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 34u;
const uint UNIT = 32u;
#define HAS_SCALE

/// The levels, which are signed bytes; returns their scale.
float levelsOf(uint blockByte, out uvec4 low, out uvec4 high)
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const uvec4 c = bits16(weights, blockByte / 16u + 2u);
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    const bool by2 = (blockByte & 2u) != 0u;
    const uvec4 a8 = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec4 b8 = by8 ? uvec4(b.zw, c.xy) : b;
    const uvec2 c8 = by8 ? c.zw : c.xy;
    const uvec4 a4 = by4 ? uvec4(a8.yzw, b8.x) : a8;
    const uvec4 b4 = by4 ? uvec4(b8.yzw, c8.x) : b8;
    const uint c4 = by4 ? c8.y : c8.x;
    const uvec4 a4Next = uvec4(a4.yzw, b4.x);
    const uvec4 b4Next = uvec4(b4.yzw, c4);
    low = by2 ? a4Next : a4 >> 16 | a4Next << 16;
    high = by2 ? b4Next : b4 >> 16 | b4Next << 16;
    return unpackHalf2x16(by2 ? a4.x >> 16 : a4.x).x;
}

/// What is written is to be multiplied by what is returned.
float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    uvec4 low;
    uvec4 high;
    const float scale = levelsOf(blockByte, low, high);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(ivec4(uvec4(low[i] << 24, low[i] << 16, low[i] << 8, low[i])) >> 24);
        w[i + 4u] = vec4(ivec4(uvec4(high[i] << 24, high[i] << 16, high[i] << 8, high[i])) >> 24);
    }
    return scale;
}

vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    return vec2(levelsOf(blockByte, codes[0], codes[1]), 0.0);
}

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const float scale = decodeScaled(blockByte, unit, w);
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        w[i] *= scale;
    }
}
