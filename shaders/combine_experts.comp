// out = Σ weight · the chosen experts' rows. One invocation a step of a row; axes: steps, rows.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "pieces.glsl"

FLOATS(0, x); // `used` rows beside each other
FLOATS(1, route); // `used` experts, then their weights
OUTPUT(2, y, vec4);
layout(push_constant) uniform Push
{
    uint pieceLength; // of a row of the output
    uint inStride;
    uint routeStride;
    uint outStride;
    uint used;
} push;

void main()
{
    const uint k = gl_GlobalInvocationID.x;
    const uint row = gl_WorkGroupID.y;
    if (k >= pieceSteps(push.pieceLength)) {
        return;
    }
    vec4 sum = vec4(0.0);
    for (uint j = 0u; j < push.used; ++j) {
        const float weight = float1(route, row * push.routeStride + push.used + j);
        sum += weight * pieceAt(x, row * push.inStride + j * push.pieceLength, k);
    }
    setPieceAt(y, row * push.outStride, k, sum);
}
