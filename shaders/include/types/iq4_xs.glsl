// IQ4_XS, see BlockIQ4_XS.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/iq4_values.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 136u;
const uint UNIT = 32u;

float scaleOf(uint blockByte, uint unit)
{
    const uvec2 head = words16(blockByte).xy;
    const uint high = head.x >> 16u + 2u * unit & 3u;
    const int subScale = int(head.y >> 4u * unit & 15u | high << 4u) - 32;
    return unpackHalf2x16(head.x).x * float(subScale);
}

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    iq4Unit(words16(blockByte + 8u + 16u * unit), w);
    return scaleOf(blockByte, unit);
}

vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    iq4Codes(words16(blockByte + 8u + 16u * unit), codes);
    return vec2(scaleOf(blockByte, unit), 0.0);
}
#include "types/scaled.glsl"
