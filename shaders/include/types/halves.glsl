// Eight numbers of 16 bits from any even byte on.
// SPDX-License-Identifier: Apache-2.0

uvec4 eightHalves(uint byte)
{
    const uvec4 a = bits16(weights, byte / 16u);
    const uvec4 b = bits16(weights, byte / 16u + 1u);
    const bool by8 = (byte & 8u) != 0u;
    const bool by4 = (byte & 4u) != 0u;
    const uvec4 a8 = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec2 b8 = by8 ? b.zw : b.xy;
    const uvec4 a4 = by4 ? uvec4(a8.yzw, b8.x) : a8;
    const uvec4 next = uvec4(a4.yzw, by4 ? b8.y : b8.x);
    return (byte & 2u) != 0u ? a4 >> 16 | next << 16 : a4;
}
