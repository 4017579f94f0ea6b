// Floats to halves by rounding to the nearest, which packHalf2x16 alone does not promise.
// SPDX-License-Identifier: Apache-2.0

/// The nearest float that a half holds too (below 2^-14 the half may be off by its last bit).
float nearestHalf(float x)
{
    const uint bits = floatBitsToUint(x);
    const uint size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) {
        return x; // NaN
    }
    if (size >= 0x477ff000u) { // 65520
        return uintBitsToFloat((bits & 0x80000000u) | 0x7f800000u);
    }
    return uintBitsToFloat((bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu);
}

uvec2 packHalves(vec4 v)
{
    for (uint i = 0u; i < 4u; ++i) {
        v[i] = nearestHalf(v[i]);
    }
    return uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw));
}
