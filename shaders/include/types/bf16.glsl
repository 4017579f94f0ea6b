// BF16: the upper half of a float.
// SPDX-License-Identifier: Apache-2.0
#include "halves.glsl"
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 2u;
const uint UNIT = 8u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 h = eightHalves(blockByte + unit * UNIT * BLOCK_BYTES);
    w[0] = uintBitsToFloat(uvec4(h.x << 16, h.x, h.y << 16, h.y) & 0xffff0000u);
    w[1] = uintBitsToFloat(uvec4(h.z << 16, h.z, h.w << 16, h.w) & 0xffff0000u);
}
