// Q8_K, see BlockQ8_K.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/signed_bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 292u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    signedLevels(blockByte + 4u + 32u * unit, w);
    return uintBitsToFloat(alignedWord(blockByte));
}
#include "types/scaled.glsl"
