// Q5_K, see BlockQ5_K.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/sub_scales.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 176u;
const uint UNIT = 32u;

vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 head = words16(blockByte);
    const uint quants = blockByte + 48u + unit / 2u * 32u;
    const uvec4 low[2] = { words16(quants), words16(quants + 16u) };
    const uvec4 high[2] = { words16(blockByte + 16u), words16(blockByte + 32u) };
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        w[i] = vec4(fields(low[i / 4u][i % 4u], unit % 2u * 4u, 15u)
                    | fields(high[i / 4u][i % 4u], unit, 1u) << 4u);
    }
    return formOf(head, unit);
}

#define CODES_HAVE_MINIMUM
vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    const uint quants = blockByte + 48u + unit / 2u * 32u;
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        const uvec4 high = words16(blockByte + 16u + 16u * i) >> unit & 0x01010101u;
        codes[i] = words16(quants + 16u * i) >> unit % 2u * 4u & 0x0f0f0f0fu | high << 4u;
    }
    return formOf(words16(blockByte), unit);
}
#include "types/affine.glsl"
