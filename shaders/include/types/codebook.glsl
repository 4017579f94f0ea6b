// Entries of a codebook (see codebookOf) and the signs of their weights.
// SPDX-License-Identifier: Apache-2.0
BITS(GRIDS_SLOT, grids);

/// 8 weights a byte each.
uvec2 entryOf8(uint index)
{
    const uvec4 two = bits16(grids, index / 2u);
    return index % 2u == 0u ? two.xy : two.zw;
}

/// 4 weights a byte each.
uint entryOf4(uint index)
{
    return bits16(grids, index / 4u)[index % 4u];
}

/// See quant::eightSigns.
uint eightSigns(uint seven)
{
    return seven | uint(bitCount(seven)) << 7u & 0x80u;
}

/// The bytes of `word`, negative where a bit of `signs` is set.
vec4 withSigns(uint word, uint signs)
{
    const vec4 weights = vec4(fields(word, 0u, 0xffu));
    const uvec4 sign = uvec4(signs) << uvec4(31u, 30u, 29u, 28u) & 0x80000000u;
    return uintBitsToFloat(floatBitsToUint(weights) | sign);
}
