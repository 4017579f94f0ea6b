// Q8_0 two blocks at a time, which begin at a multiple of 4 bytes: fewer pieces to fetch.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 64u;
const uint BLOCK_BYTES = 68u;
const uint UNIT = 64u;
#define HAS_FORMS
#define HAS_NO_MINIMUM
const uint FORMS = 2u;

vec4 fourBytes(uint word)
{
    return vec4(ivec4(uvec4(word << 24, word << 16, word << 8, word)) >> 24);
}

void decodeForms(uint blockByte, uint unit, out vec4 w[UNIT / 4u], out vec2 forms[FORMS])
{
    uvec4 piece[5]; // 20 words, of which those of the pair come to the front
    [[unroll]] for (uint i = 0u; i < 5u; ++i) {
        piece[i] = bits16(weights, blockByte / 16u + i);
    }
    const bool by8 = (blockByte & 8u) != 0u;
    const bool by4 = (blockByte & 4u) != 0u;
    [[unroll]] for (uint i = 0u; i < 5u; ++i) {
        const uvec2 next = i < 4u ? piece[min(i + 1u, 4u)].xy : uvec2(0u);
        piece[i] = by8 ? uvec4(piece[i].zw, next) : piece[i];
    }
    [[unroll]] for (uint i = 0u; i < 5u; ++i) {
        const uint next = i < 4u ? piece[min(i + 1u, 4u)].x : 0u;
        piece[i] = by4 ? uvec4(piece[i].yzw, next) : piece[i];
    }
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint here = piece[i / 4u][i % 4u];
        const uint next = piece[(i + 1u) / 4u][(i + 1u) % 4u];
        w[i] = fourBytes(here >> 16 | next << 16);
        w[i + 8u] = fourBytes(piece[(i + 9u) / 4u][(i + 9u) % 4u]);
    }
    forms[0] = vec2(unpackHalf2x16(piece[0].x).x, 0.0);
    forms[1] = vec2(unpackHalf2x16(piece[2].x).y, 0.0);
}
