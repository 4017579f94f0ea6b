// Rotates pairs of numbers of every head in place by the row's angles.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "rotate.glsl"

FLOATS(0, angles); // cosine and sine of each pair
FLOATS(1, x);
OUTPUT(2, y, float); // the same numbers
layout(push_constant) uniform Push
{
    uint heads;
    uint pairs; // of a head
    uint headLength;
    uint offset; // of the first rotated number of a head
    uint stride; // floats from row to row
    uint angleStride;
} push;
layout(constant_id = 1) const bool HALVES_APART = false; // pairs are (i, i + pairs), else (2i, 2i + 1)
layout(constant_id = 2) const bool WHOLE_PIECES = false; // every number's place is that of a piece of 4

void rotate(uint head, uint pair, uint row)
{
    const uint first = row * push.stride + head * push.headLength + push.offset
        + (HALVES_APART ? pair : 2u * pair);
    const uint second = first + (HALVES_APART ? push.pairs : 1u);
    const uint angle = row * push.angleStride + 2u * pair;
    const float cosine = float1(angles, angle);
    const float sine = float1(angles, angle + 1u);
    const float a = float1(x, first);
    const float b = float1(x, second);
    y.data[first] = a * cosine - b * sine;
    y.data[second] = a * sine + b * cosine;
}

void put(uint at, vec4 v)
{
    for (uint i = 0u; i < 4u; ++i) {
        y.data[at + i] = v[i];
    }
}

/// Pairs `pair` … `pair` + 3.
void rotatePiece(uint head, uint pair, uint row)
{
    const uint first = row * push.stride + head * push.headLength + push.offset
        + (HALVES_APART ? pair : 2u * pair);
    const uint second = first + pieceDistance(HALVES_APART, push.pairs);
    const uint angle = row * push.angleStride / 4u + pair / 2u;
    const mat2x4 rotated = rotatedPieces(HALVES_APART, floats4(x, first / 4u), floats4(x, second / 4u),
                                         floats4(angles, angle), floats4(angles, angle + 1u));
    put(first, rotated[0]);
    put(second, rotated[1]);
}

void main()
{
    const uint row = gl_WorkGroupID.y;
    const uint step = WHOLE_PIECES ? 4u : 1u;
    const uint ofHead = push.pairs / step;
    const uint head = gl_GlobalInvocationID.x / ofHead;
    const uint pair = gl_GlobalInvocationID.x % ofHead * step;
    if (head >= push.heads) {
        return;
    }
    if (WHOLE_PIECES) {
        rotatePiece(head, pair, row);
    } else {
        rotate(head, pair, row);
    }
}
