// I32.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 4u;
const uint UNIT = 8u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint byte = blockByte + 4u * UNIT * unit;
    w[0] = vec4(ivec4(bytes16(byte)));
    w[1] = vec4(ivec4(bytes16(byte + 16u)));
}
