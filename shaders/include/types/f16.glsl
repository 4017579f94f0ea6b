// F16.
// SPDX-License-Identifier: Apache-2.0
#include "halves.glsl"
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 2u;
const uint UNIT = 8u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 h = eightHalves(blockByte + unit * UNIT * BLOCK_BYTES);
    w[0] = vec4(unpackHalf2x16(h.x), unpackHalf2x16(h.y));
    w[1] = vec4(unpackHalf2x16(h.z), unpackHalf2x16(h.w));
}
