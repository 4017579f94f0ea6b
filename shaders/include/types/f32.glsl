// F32.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 4u;
const uint UNIT = 8u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint byte = blockByte + unit * UNIT * BLOCK_BYTES;
    const uvec4 a = bits16(weights, byte / 16u);
    const uvec4 b = bits16(weights, byte / 16u + 1u);
    const uvec4 c = bits16(weights, byte / 16u + 2u);
    const bool by8 = (byte & 8u) != 0u;
    const bool by4 = (byte & 4u) != 0u;
    const uvec4 a8 = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec4 b8 = by8 ? uvec4(b.zw, c.xy) : b;
    const uint c8 = by8 ? c.z : c.x;
    w[0] = uintBitsToFloat(by4 ? uvec4(a8.yzw, b8.x) : a8);
    w[1] = uintBitsToFloat(by4 ? uvec4(b8.yzw, c8) : b8);
}
