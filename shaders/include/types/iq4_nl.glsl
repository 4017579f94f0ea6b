// IQ4_NL, see BlockIQ4_NL.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/iq4_values.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 18u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    iq4Unit(bytes16(blockByte + 2u), w);
    return halfAt(blockByte);
}

vec2 decodeCodes(uint blockByte, uint unit, out uvec4 codes[2])
{
    iq4Codes(bytes16(blockByte + 2u), codes);
    return vec2(halfAt(blockByte), 0.0);
}
#include "types/scaled.glsl"
