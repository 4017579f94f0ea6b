// Q4_K that begins at a multiple of 16 bytes, two groups at a time: fewer pieces to fetch.
// SPDX-License-Identifier: Apache-2.0
#include "types/sub_scales.glsl"
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 144u;
const uint UNIT = 64u;
#define HAS_FORMS
const uint FORMS = 2u;

void decodeForms(uint blockByte, uint unit, out vec4 w[UNIT / 4u], out vec2 forms[FORMS])
{
    const uint piece = blockByte / 16u;
    const uvec4 head = bits16(weights, piece);
    const uvec4 a = bits16(weights, piece + 1u + 2u * unit);
    const uvec4 b = bits16(weights, piece + 2u + 2u * unit);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = lowNibbles(a[i]);
        w[i + 4u] = lowNibbles(b[i]);
        w[i + 8u] = highNibbles(a[i]);
        w[i + 12u] = highNibbles(b[i]);
    }
    const vec2 both = unpackHalf2x16(head.x) * vec2(1.0, -1.0);
    forms[0] = both * vec2(subScale(head.yzw, 2u * unit));
    forms[1] = both * vec2(subScale(head.yzw, 2u * unit + 1u));
}
