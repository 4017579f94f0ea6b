// values = f(values): Scale, Activate, Clamp, SoftCap, Xielu. One invocation a vec4.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "numbers.glsl"
#include "activations.glsl"

FLOATS(0, x);
OUTPUT(1, y, vec4); // may be x
layout(push_constant) uniform Push
{
    NUMBERS_PUSH
    float a; // factor, limit, cap, or xIELU's alphaNegative
    float b; // alphaPositive
    float c; // beta
    float d; // epsilon
} push;
layout(constant_id = 1) const uint KIND = 0u; // as in numbers.cpp
layout(constant_id = 2) const uint FUNCTION = 0u; // of Activate

float changed(float v)
{
    switch (KIND) {
    case 0u: // Scale
        return v * push.a;
    case 1u: // Activate
        return activate(FUNCTION, v);
    case 2u: // Clamp
        return clamp(v, -push.a, push.a);
    case 3u: // SoftCap
        return push.a * hyperbolicTangent(v / push.a);
    default: // Xielu
        return v > 0.0 ? push.b * v * v + push.c * v
                       : (decayMinus1(min(v, push.d)) - v) * push.a + push.c * v;
    }
}

void main()
{
    const uint i = numbersIndex();
    if (i >= push.count) {
        return;
    }
    const vec4 v = floats4(x, i);
    y.data[i] = withoutTail(vec4(changed(v.x), changed(v.y), changed(v.z), changed(v.w)), i,
                            push.rowPieces, push.tail);
}
