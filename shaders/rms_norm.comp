// out = x / sqrt(mean(x²) + epsilon) · weight, piece by piece: one workgroup a piece.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"

FLOATS(0, x);
FLOATS(1, weight);
OUTPUT(2, y, float);
layout(push_constant) uniform Push
{
    uint pieces;
    uint pieceLength;
    uint inStride; // floats from row to row
    uint outStride;
    uint weightStep; // floats from piece to piece: 0 where all share them
    float epsilon;
} push;
layout(constant_id = 1) const bool HAS_WEIGHT = true;

void main()
{
    const uint piece = gl_WorkGroupID.x;
    const uint row = gl_WorkGroupID.y;
    const uint from = row * push.inStride + piece * push.pieceLength;
    float sum = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < push.pieceLength; i += GROUP_SIZE) {
        const float v = float1(x, from + i);
        sum += v * v;
    }
    const float factor = inversesqrt(groupSum(sum) / float(push.pieceLength) + push.epsilon);
    const uint to = row * push.outStride + piece * push.pieceLength;
    for (uint i = gl_LocalInvocationID.x; i < push.pieceLength; i += GROUP_SIZE) {
        const float w = HAS_WEIGHT ? float1(weight, piece * push.weightStep + i) : 1.0;
        y.data[to + i] = float1(x, from + i) * factor * w;
    }
}
