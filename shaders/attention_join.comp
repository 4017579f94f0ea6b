// Joins what several workgroups found about their parts of the positions: one workgroup a head and
// row. A part's numbers are the weighted sum of its values, the largest score and the sum of weights
// (of a part that saw nothing: zeros and a score that is less than all others).
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"

FLOATS(0, parts); // [row][head][part][pieces of the value, then 4 numbers]
FLOATS(1, sinks);
OUTPUT(2, y, float);
layout(push_constant) uniform Push
{
    uint heads;
    uint outStride; // floats from row to row
} push;
layout(constant_id = 1) const uint VALUE_LENGTH = 64;
layout(constant_id = 2) const uint PARTS = 2;
layout(constant_id = 3) const bool HAS_SINKS = false;
const uint VALUE_PIECES = (VALUE_LENGTH + 3u) / 4u;

void main()
{
    const uint head = gl_WorkGroupID.x;
    const uint row = gl_WorkGroupID.y;
    const uint begin = (row * push.heads + head) * PARTS * (VALUE_PIECES + 1u);
    const float sink = HAS_SINKS ? float1(sinks, head) : 0.0;
    float most = HAS_SINKS ? sink : -1.7e38;
    for (uint part = 0u; part < PARTS; ++part) {
        most = max(most, floats4(parts, begin + part * (VALUE_PIECES + 1u) + VALUE_PIECES).x);
    }
    float sum = HAS_SINKS ? exp(sink - most) : 0.0;
    for (uint part = 0u; part < PARTS; ++part) {
        const vec4 about = floats4(parts, begin + part * (VALUE_PIECES + 1u) + VALUE_PIECES);
        sum += about.y * exp(about.x - most);
    }
    for (uint piece = gl_LocalInvocationID.x; piece < VALUE_PIECES; piece += GROUP_SIZE) {
        vec4 all = vec4(0.0);
        for (uint part = 0u; part < PARTS; ++part) {
            const uint at = begin + part * (VALUE_PIECES + 1u);
            all += exp(floats4(parts, at + VALUE_PIECES).x - most) * floats4(parts, at + piece);
        }
        const uint to = row * push.outStride + head * VALUE_LENGTH + 4u * piece;
        for (uint c = 0u; c < min(4u, VALUE_LENGTH - 4u * piece); ++c) {
            y.data[to + c] = all[c] / sum;
        }
    }
}
