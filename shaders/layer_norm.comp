// out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias, piece by piece: one workgroup a piece.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "pieces.glsl"

FLOATS(0, x);
FLOATS(1, weight);
FLOATS(2, bias);
OUTPUT(3, y, vec4); // may be x
layout(push_constant) uniform Push
{
    uint pieceLength; // of a piece
    uint inStride; // floats from row to row
    uint outStride;
    uint weightStep; // floats from piece to piece: 0 where all share them
    uint biasStep;
    float epsilon;
} push;
layout(constant_id = 2) const bool HAS_WEIGHT = true;
layout(constant_id = 3) const bool HAS_BIAS = true;

void main()
{
    const uint piece = gl_WorkGroupID.x;
    const uint row = gl_WorkGroupID.y;
    const uint from = row * push.inStride + piece * push.pieceLength;
    const uint steps = pieceSteps(push.pieceLength);
    float sum = 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        sum += dot(pieceAt(x, from, k), vec4(1.0));
    }
    const float mean = groupSum(sum) / float(push.pieceLength);
    float squares = 0.0;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        const vec4 v = insidePiece(pieceAt(x, from, k) - mean, k, push.pieceLength);
        squares += dot(v, v);
    }
    const float factor = inversesqrt(groupSum(squares) / float(push.pieceLength) + push.epsilon);
    const uint to = row * push.outStride + piece * push.pieceLength;
    for (uint k = gl_LocalInvocationID.x; k < steps; k += GROUP_SIZE) {
        vec4 v = insidePiece(pieceAt(x, from, k) - mean, k, push.pieceLength) * factor;
        if (HAS_WEIGHT) {
            v *= pieceAt(weight, piece * push.weightStep, k);
        }
        if (HAS_BIAS) {
            v += pieceAt(bias, piece * push.biasStep, k);
        }
        setPieceAt(y, to, k, v);
    }
}
