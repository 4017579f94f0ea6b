// gate = f(gate) · up, or with a limit as gpt-oss has it. One invocation a vec4.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "numbers.glsl"
#include "activations.glsl"

FLOATS(0, gate);
FLOATS(1, up);
OUTPUT(2, y, vec4); // may be gate
layout(push_constant) uniform Push
{
    NUMBERS_PUSH
    float limit;
} push;
layout(constant_id = 1) const uint FUNCTION = 1u;
layout(constant_id = 2) const bool SHARED = false; // up is one number a row (in a row of 4)
layout(constant_id = 3) const bool LIMITED = false;

void main()
{
    const uint i = numbersIndex();
    if (i >= push.count) {
        return;
    }
    const vec4 u = SHARED ? vec4(floats4(up, i / push.rowPieces).x) : floats4(up, i);
    const vec4 v = gated4(FUNCTION, LIMITED ? push.limit : 0.0, floats4(gate, i), u);
    y.data[i] = withoutTail(v, i, push.rowPieces, push.tail);
}
