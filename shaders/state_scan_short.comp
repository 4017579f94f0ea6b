// Selective state spaces with short states over all tokens: one invocation a number of a head, its state in registers.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "pieces.glsl"
#include "activations.glsl"
#include "state_scan.glsl"

void main()
{
    const uint u = gl_GlobalInvocationID.x; // number of the row
    const uint head = u / push.headLength;
    if (head >= push.heads) {
        return;
    }
    const uint group = head / push.headsOfGroup;
    const uint n = push.stateLength;
    vec4 s[BLOCKS];
    vec4 rate[BLOCKS];
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        rate[b] = ratesOf(head, 4u * b);
        s[b] = beforeBlock(u * n, 4u * b, n);
    }
    const float skip = float1(skips, head);
    for (uint row = 0u; row < push.rows; ++row) {
        const float step = stepOf(row, head);
        const float v = float1(x, row * push.xStride + push.xOffset + u);
        float sum = skip * v;
        [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
            const vec4 w = writtenBlock(row * push.bStride + push.bOffset + group * n, 4u * b, n);
            const vec4 c = shownBlock(row * push.cStride + push.cOffset + group * n, 4u * b, n);
            s[b] = s[b] * decay4(step * rate[b]) + step * v * w;
            sum += dot(s[b], c);
        }
        const uint at = row * push.outStride + u;
        y.data[at / 4u][at % 4u] = sum;
    }
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        writeState(u * n, 4u * b, n, s[b]);
    }
}
