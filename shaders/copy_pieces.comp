// Copies pieces of rows. One invocation a step of a piece; axes: steps, pieces, rows.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "pieces.glsl"

FLOATS(0, x);
OUTPUT(1, y, vec4);
layout(push_constant) uniform Push
{
    uint pieceLength; // of a piece
    uint inStride; // floats from row to row
    uint inOffset;
    uint inStep; // floats from piece to piece
    uint outStride;
    uint outOffset;
    uint outStep;
} push;

void main()
{
    const uint k = gl_GlobalInvocationID.x;
    const uint piece = gl_WorkGroupID.y;
    const uint row = gl_WorkGroupID.z;
    if (k < pieceSteps(push.pieceLength)) {
        const vec4 v = pieceAt(x, row * push.inStride + push.inOffset + piece * push.inStep, k);
        setPieceAt(y, row * push.outStride + push.outOffset + piece * push.outStep, k, v);
    }
}
