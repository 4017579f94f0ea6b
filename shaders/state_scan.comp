// Selective state spaces over all tokens: one workgroup 4 numbers of a head, whose state it keeps in registers; each
// invocation has every GROUP_SIZE-th block of 4 numbers of each state. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "reduce4.glsl"
#include "pieces.glsl"
#include "activations.glsl"
#include "state_scan.glsl"

BLOCK_READER(xBlock, x)
BLOCK_WRITER(writeOut, y)

/// First number of a block of this invocation.
uint firstOf(uint block)
{
    return 4u * (gl_LocalInvocationID.x + GROUP_SIZE * block);
}

void main()
{
    const uint number = 4u * gl_WorkGroupID.x; // of the head
    const uint head = gl_WorkGroupID.y;
    const uint group = head / push.headsOfGroup;
    const uint n = push.stateLength;
    vec4 s[4u * BLOCKS]; // a state's blocks side by side
    vec4 rate[BLOCKS];
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        rate[b] = ratesOf(head, firstOf(b));
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            s[4u * b + i] = vec4(0.0);
            if (number + i < push.headLength) {
                s[4u * b + i] =
                    beforeBlock((head * push.headLength + number + i) * n, firstOf(b), n);
            }
        }
    }
    for (uint row = 0u; row < push.rows; ++row) {
        const float step = stepOf(row, head);
        const vec4 in4 = xBlock(row * push.xStride + push.xOffset + head * push.headLength, number,
                                push.headLength);
        vec4 out4 = vec4(0.0);
        [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
            const vec4 kept = decay4(step * rate[b]);
            const vec4 w =
                step * writtenBlock(row * push.bStride + push.bOffset + group * n, firstOf(b), n);
            const vec4 c = shownBlock(row * push.cStride + push.cOffset + group * n, firstOf(b), n);
            [[unroll]] for (uint i = 0u; i < 4u; ++i) {
                s[4u * b + i] = s[4u * b + i] * kept + in4[i] * w;
                out4[i] += dot(s[4u * b + i], c);
            }
        }
        out4 = groupSum4(out4) + float1(skips, head) * in4;
        if (gl_LocalInvocationID.x == 0u) {
            writeOut(row * push.outStride + head * push.headLength, number, push.headLength, out4);
        }
    }
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            if (number + i < push.headLength) {
                writeState((head * push.headLength + number + i) * n, firstOf(b), n, s[4u * b + i]);
            }
        }
    }
}
