// values = max(values - (mean + deviations · standard deviation), 0) of the row: one workgroup a row.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "pieces.glsl"

FLOATS(0, x);
OUTPUT(1, y, vec4); // may be x
layout(push_constant) uniform Push
{
    uint pieceLength;
    uint stride; // floats from row to row
    float deviations;
} push;

void main()
{
    const uint begin = gl_WorkGroupID.x * push.stride;
    const uint steps = pieceSteps(push.pieceLength);
    float sum = 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        sum += dot(pieceAt(x, begin, k), vec4(1.0));
    }
    const float mean = groupSum(sum) / float(push.pieceLength);
    float squares = 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        const vec4 v = insidePiece(pieceAt(x, begin, k) - mean, k, push.pieceLength);
        squares += dot(v, v);
    }
    const float degrees = float(max(push.pieceLength, 2u) - 1u);
    const float cut = mean + push.deviations * sqrt(groupSum(squares) / degrees);
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        const vec4 v = max(pieceAt(x, begin, k) - cut, vec4(0.0));
        setPieceAt(y, begin, k, insidePiece(v, k, push.pieceLength));
    }
}
