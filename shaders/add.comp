// into += from, number by number.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"

FLOATS(0, from);
OUTPUT(1, into, vec4);
layout(push_constant) uniform Push { uint count; } push; // of vec4

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < push.count) {
        into.data[i] += floats4(from, i);
    }
}
