// Q4_1 that begins at a multiple of 4 bytes: fewer pieces to fetch.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 20u;
const uint UNIT = 32u;
#define HAS_AFFINE

vec2 decodeAffine(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 a = bits16(weights, blockByte / 16u);
    const uvec4 b = bits16(weights, blockByte / 16u + 1u);
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    const uvec4 low = by8 ? uvec4(a.zw, b.xy) : a;
    const uvec3 high = by8 ? b.zww : b.xyz;
    const uint head = by4 ? low.y : low.x;
    const uvec4 q = by4 ? uvec4(low.zw, high.xy) : uvec4(low.yzw, high.x);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(ivec4(uvec4(q[i], q[i] >> 8, q[i] >> 16, q[i] >> 24) & 15u));
        w[i + 4u] = vec4(ivec4(uvec4(q[i] >> 4, q[i] >> 12, q[i] >> 20, q[i] >> 28) & 15u));
    }
    return unpackHalf2x16(head);
}
