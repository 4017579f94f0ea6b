// The 16 values of FP4 (kValuesFP4).
// SPDX-License-Identifier: Apache-2.0

vec4 fp4Values(uvec4 levels)
{
    // a magnitude a nibble, the lowest first
    const vec4 magnitude = vec4(uvec4(0xc8643210u) >> (levels << 2u & 28u) & 15u);
    return uintBitsToFloat(floatBitsToUint(magnitude) | (levels & 8u) << 28u);
}
