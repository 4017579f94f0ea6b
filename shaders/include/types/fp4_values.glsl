// The 16 values of FP4 (kValuesFP4).
// SPDX-License-Identifier: Apache-2.0

vec4 fp4Values(uvec4 levels)
{
    // a magnitude a nibble, the lowest first
    const ivec4 magnitude = ivec4(uvec4(0xc8643210u) >> (levels & 7u) * 4u & 15u);
    return vec4(mix(magnitude, -magnitude, notEqual(levels & 8u, uvec4(0u))));
}
