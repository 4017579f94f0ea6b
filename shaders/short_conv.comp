// Causal convolution of each channel over the last tokens: one invocation 4 channels of all tokens, the last inputs in
// registers. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "pieces.glsl"
#include "activations.glsl"

FLOATS(0, x);
BITS(1, weight); // floats, KERNEL a channel
FLOATS(2, bias);
FLOATS(3, before); // KERNEL - 1 inputs of all channels
OUTPUT(4, state, vec4); // the same memory
OUTPUT(5, y, vec4); // may be x
layout(push_constant) uniform Push
{
    uint rows;
    uint channels;
    uint stride; // floats from row to row
    uint firstWord; // of the weights
} push;
layout(constant_id = 2) const uint KERNEL = 4u;
layout(constant_id = 3) const uint FUNCTION = 0u;
layout(constant_id = 4) const bool HAS_BIAS = false;
layout(constant_id = 5) const bool WHOLE_TAPS = false; // a channel's weights are one aligned piece of 16 bytes

BLOCK_READER(beforeBlock, before)
BLOCK_WRITER(writeState, state)

void main()
{
    const uint first = 4u * gl_GlobalInvocationID.x; // channel
    if (first >= push.channels) {
        return;
    }
    vec4 taps[KERNEL];
    vec4 window[KERNEL]; // the input of now comes last
    [[unroll]] for (uint c = 0u; c < 4u; ++c) {
        const uint word = push.firstWord + min(first + c, push.channels - 1u) * KERNEL;
        const uvec4 whole = bits16(weight, word / 4u);
        [[unroll]] for (uint k = 0u; k < KERNEL; ++k) {
            const uint w = word + k;
            taps[k][c] = uintBitsToFloat(WHOLE_TAPS ? whole[k % 4u] : bits16(weight, w / 4u)[w % 4u]);
        }
    }
    [[unroll]] for (uint k = 0u; k + 1u < KERNEL; ++k) {
        window[k] = beforeBlock(k * push.channels, first, push.channels);
    }
    const vec4 shift = HAS_BIAS ? floats4(bias, first / 4u) : vec4(0.0);
    for (uint row = 0u; row < push.rows; ++row) {
        const uint at = (row * push.stride + first) / 4u;
        window[KERNEL - 1u] = floats4(x, at);
        vec4 sum = shift;
        [[unroll]] for (uint k = 0u; k < KERNEL; ++k) {
            sum += taps[k] * window[k];
        }
        [[unroll]] for (uint k = 0u; k + 1u < KERNEL; ++k) {
            window[k] = window[k + 1u];
        }
        const vec4 v = activate4(FUNCTION, sum);
        const uint left = push.channels - first;
        y.data[at] = left >= 4u
            ? v
            : mix(v, vec4(0.0), greaterThanEqual(uvec4(0u, 1u, 2u, 3u), uvec4(left)));
    }
    [[unroll]] for (uint k = 0u; k + 1u < KERNEL; ++k) {
        writeState(k * push.channels, first, push.channels, window[k]);
    }
}
