// The 16 values of IQ4 (kValuesIQ4).
// SPDX-License-Identifier: Apache-2.0

/// Four values beside each other, the lowest byte first: that of the level is number level % 4.
uvec4 iq4Words(uvec4 levels)
{
    const bvec4 by4 = notEqual(levels & 4u, uvec4(0u));
    const uvec4 negative = mix(uvec4(0xbfad9881u), uvec4(0xf6eaddcfu), by4);
    const uvec4 positive = mix(uvec4(0x26190d01u), uvec4(0x71594535u), by4);
    return mix(negative, positive, notEqual(levels & 8u, uvec4(0u)));
}

vec4 iq4Values(uvec4 levels)
{
    // by 24, 16, 8 or 0
    return vec4(ivec4(iq4Words(levels) << ((levels << 3u ^ 24u) & 24u)) >> 24);
}

/// 32 values: of the low nibbles, then of the high ones.
void iq4Unit(uvec4 quants, out vec4 w[8])
{
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = iq4Values(fields(quants[i], 0u, 15u));
        w[i + 4u] = iq4Values(fields(quants[i], 4u, 15u));
    }
}

/// The same a byte each.
void iq4Codes(uvec4 quants, out uvec4 codes[2])
{
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uvec4 levels = fields(quants[i % 4u], i / 4u * 4u, 15u);
        const uvec4 bytes = iq4Words(levels) >> (levels << 3u & 24u) & 0xffu;
        codes[i / 4u][i % 4u] = bytes.x | bytes.y << 8u | bytes.z << 16u | bytes.w << 24u;
    }
}
