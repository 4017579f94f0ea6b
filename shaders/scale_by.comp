// values *= weight: a number for each of the row, or one for all. One invocation a vec4.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "numbers.glsl"

FLOATS(0, x);
FLOATS(1, weight);
OUTPUT(2, y, vec4); // may be x
layout(push_constant) uniform Push { NUMBERS_PUSH } push;
layout(constant_id = 1) const bool IS_ONE = false;

void main()
{
    const uint i = numbersIndex();
    if (i < push.count) {
        const vec4 w = IS_ONE ? vec4(floats4(weight, 0u).x) : floats4(weight, i % push.rowPieces);
        y.data[i] = withoutTail(floats4(x, i) * w, i, push.rowPieces, push.tail);
    }
}
