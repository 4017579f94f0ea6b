// Pieces of `values` get the length of the row of `like`: one workgroup a piece.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "pieces.glsl"

FLOATS(0, x);
FLOATS(1, like);
OUTPUT(2, y, vec4); // may be x
layout(push_constant) uniform Push
{
    uint pieceLength; // of a piece
    uint stride; // floats from row to row of values
    uint likeStride;
    uint offset; // of the first piece
    uint step; // from piece to piece
} push;

void main()
{
    const uint row = gl_WorkGroupID.y;
    const uint begin = row * push.stride + push.offset + gl_WorkGroupID.x * push.step;
    const uint steps = pieceSteps(push.pieceLength);
    float own = 0.0;
    float wanted = 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        const vec4 v = pieceAt(x, begin, k);
        const vec4 w = pieceAt(like, row * push.likeStride, k);
        own += dot(v, v);
        wanted += dot(w, w);
    }
    own = sqrt(groupSum(own));
    wanted = sqrt(groupSum(wanted));
    const float factor = own > 0.0 ? wanted / own : 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        setPieceAt(y, begin, k, pieceAt(x, begin, k) * factor);
    }
}
