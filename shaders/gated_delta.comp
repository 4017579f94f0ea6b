// The gated delta rule over all tokens: one workgroup 4 columns of one head's state, which it keeps in registers; each
// invocation has every GROUP_SIZE-th block of 4 rows of them. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "reduce4.glsl"
#include "pieces.glsl"
#include "activations.glsl"

FLOATS(0, query);
FLOATS(1, key);
FLOATS(2, value);
FLOATS(3, alpha);
FLOATS(4, beta);
FLOATS(5, rates); // a
FLOATS(6, steps); // dt
FLOATS(7, before); // [head][key][value]
OUTPUT(8, state, vec4); // the same memory
OUTPUT(9, y, vec4);
layout(push_constant) uniform Push
{
    uint rows;
    uint keyLength;
    uint valueLength;
    uint keyHeads;
    uint sharing; // value heads a key head
    uint queryStride; // floats from row to row
    uint queryOffset;
    uint keyStride;
    uint keyOffset;
    uint valueStride;
    uint valueOffset;
    uint gateStride; // of alpha and beta
    uint outStride;
    float epsilon;
} push;
layout(constant_id = 2) const uint BLOCKS = 1u; // of 4 rows, of an invocation
layout(constant_id = 3) const bool INTERLEAVED = false;

BLOCK_READER(queryBlock, query)
BLOCK_READER(keyBlock, key)
BLOCK_READER(valueBlock, value)
BLOCK_READER(beforeBlock, before)
BLOCK_WRITER(writeState, state)
BLOCK_WRITER(writeOut, y)

/// First row of a block of this invocation.
uint rowOf(uint block)
{
    return 4u * (gl_LocalInvocationID.x + GROUP_SIZE * block);
}

void main()
{
    const uint column = 4u * gl_WorkGroupID.x;
    const uint head = gl_WorkGroupID.y;
    const uint keyHead = INTERLEAVED ? head % push.keyHeads : head / push.sharing;
    const uint stateBegin = head * push.keyLength * push.valueLength;
    const float rate = float1(rates, head);
    const float shift = float1(steps, head);
    vec4 s[4u * BLOCKS];
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        [[unroll]] for (uint c = 0u; c < 4u; ++c) {
            const uint k = rowOf(b) + c;
            s[4u * b + c] = vec4(0.0);
            if (k < push.keyLength) {
                s[4u * b + c] = beforeBlock(stateBegin + k * push.valueLength, column, push.valueLength);
            }
        }
    }
    for (uint row = 0u; row < push.rows; ++row) {
        vec4 keys[BLOCKS];
        vec4 products = vec4(0.0); // key², query², key · query
        vec4 held = vec4(0.0); // what the state holds for the key
        vec4 seen = vec4(0.0); // … for the query
        [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
            const vec4 k = keyBlock(row * push.keyStride + push.keyOffset + keyHead * push.keyLength,
                                    rowOf(b), push.keyLength);
            const vec4 q = queryBlock(row * push.queryStride + push.queryOffset
                                          + keyHead * push.keyLength,
                                      rowOf(b), push.keyLength);
            products.xyz += vec3(dot(k, k), dot(q, q), dot(k, q));
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {
                held += k[c] * s[4u * b + c];
                seen += q[c] * s[4u * b + c];
            }
            keys[b] = k;
        }
        products = groupSum4(products);
        held = groupSum4(held);
        seen = groupSum4(seen);
        const float keyFactor = 1.0 / max(sqrt(products.x), push.epsilon);
        const float queryFactor =
            inversesqrt(float(push.keyLength)) / max(sqrt(products.y), push.epsilon);
        const uint gate = row * push.gateStride + head;
        const float kept = decay(rate * softplus(float1(alpha, gate) + shift));
        const vec4 v = valueBlock(row * push.valueStride + push.valueOffset + head * push.valueLength,
                                  column, push.valueLength);
        const vec4 change = logistic(float1(beta, gate)) * (v - kept * keyFactor * held);
        [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {
                s[4u * b + c] = kept * s[4u * b + c] + keyFactor * keys[b][c] * change;
            }
        }
        if (gl_LocalInvocationID.x == 0u) {
            writeOut(row * push.outStride + head * push.valueLength, column, push.valueLength,
                     queryFactor * (kept * seen + keyFactor * products.z * change));
        }
    }
    [[unroll]] for (uint b = 0u; b < BLOCKS; ++b) {
        [[unroll]] for (uint c = 0u; c < 4u; ++c) {
            const uint k = rowOf(b) + c;
            if (k < push.keyLength) {
                writeState(stateBegin + k * push.valueLength, column, push.valueLength, s[4u * b + c]);
            }
        }
    }
}
