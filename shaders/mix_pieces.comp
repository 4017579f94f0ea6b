// Piece i of `into` += Σ_j (weight + bias) · piece j of `from`. One invocation a step of a piece; axes: steps,
// pieces, rows. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "pieces.glsl"

FLOATS(0, x);
FLOATS(1, weights); // number i · sources + j
FLOATS(2, from);
OUTPUT(3, y, vec4); // may be x
layout(push_constant) uniform Push
{
    uint pieceLength; // of a piece
    uint stride; // floats from row to row
    uint offset;
    uint step; // floats from piece to piece
    uint fromStride;
    uint sources;
    uint weightStride;
    float bias;
} push;
layout(constant_id = 2) const bool HAS_WEIGHTS = true;

void main()
{
    const uint k = gl_GlobalInvocationID.x;
    const uint piece = gl_WorkGroupID.y;
    const uint row = gl_WorkGroupID.z;
    if (k >= pieceSteps(push.pieceLength)) {
        return;
    }
    const uint begin = row * push.stride + push.offset + piece * push.step;
    vec4 sum = pieceAt(x, begin, k);
    for (uint j = 0u; j < push.sources; ++j) {
        float factor = push.bias;
        if (HAS_WEIGHTS) {
            factor += float1(weights, row * push.weightStride + piece * push.sources + j);
        }
        sum += factor * pieceAt(from, row * push.fromStride + j * push.pieceLength, k);
    }
    setPieceAt(y, begin, k, sum);
}
