// values *= 1 + factor · log(1 + floor((position + offset) / span)). One invocation a vec4.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"
#include "numbers.glsl"

FLOATS(0, x);
BITS(1, batch);
OUTPUT(2, y, vec4); // may be x
layout(push_constant) uniform Push
{
    NUMBERS_PUSH
    float factor;
    float span;
    float offset;
} push;

/// floor(a / b) for whole numbers a, exact where a division may round up to the next one.
float wholeQuotient(float a, float b)
{
    const float q = floor(a / b + 0.5);
    return q * b > a ? q - 1.0 : q;
}

void main()
{
    const uint i = numbersIndex();
    if (i < push.count) {
        const float position = float(batchPosition() + i / push.rowPieces) + push.offset;
        const float steps = wholeQuotient(position, push.span);
        y.data[i] = floats4(x, i) * (1.0 + push.factor * log(1.0 + steps));
    }
}
