// The 16 values of IQ4 (kValuesIQ4).
// SPDX-License-Identifier: Apache-2.0

vec4 iq4Values(uvec4 levels)
{
    // four values a word, the lowest byte first
    const bvec4 by4 = notEqual(levels & 4u, uvec4(0u));
    const uvec4 negative = mix(uvec4(0xbfad9881u), uvec4(0xf6eaddcfu), by4);
    const uvec4 positive = mix(uvec4(0x26190d01u), uvec4(0x71594535u), by4);
    const uvec4 word = mix(negative, positive, notEqual(levels & 8u, uvec4(0u)));
    // by 24, 16, 8 or 0
    return vec4(ivec4(word << ((levels << 3u ^ 24u) & 24u)) >> 24);
}

/// 32 values: of the low nibbles, then of the high ones.
void iq4Unit(uvec4 quants, out vec4 w[8])
{
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = iq4Values(fields(quants[i], 0u, 15u));
        w[i + 4u] = iq4Values(fields(quants[i], 4u, 15u));
    }
}
