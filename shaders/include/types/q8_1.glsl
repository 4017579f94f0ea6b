// Q8_1, see BlockQ8_1.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/signed_bytes.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 36u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    signedLevels(blockByte + 4u, w);
    return halfAt(blockByte);
}
#include "types/scaled.glsl"
