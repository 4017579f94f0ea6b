// What both shaders of StateScan share: bindings, sizes, step and decay. Needs io, pieces and activations.
// SPDX-License-Identifier: Apache-2.0
FLOATS(0, x);
FLOATS(1, written); // B
FLOATS(2, shown); // C
FLOATS(3, steps);
FLOATS(4, stepBias);
FLOATS(5, rates); // a
FLOATS(6, skips); // d
FLOATS(7, before); // [head][number][stateLength]
OUTPUT(8, state, vec4); // the same memory
OUTPUT(9, y, vec4);
layout(push_constant) uniform Push
{
    uint rows;
    uint heads;
    uint headLength;
    uint headsOfGroup;
    uint stateLength;
    uint xStride; // floats from row to row
    uint xOffset;
    uint bStride;
    uint bOffset;
    uint cStride;
    uint cOffset;
    uint stepStride;
    uint outStride;
} push;
layout(constant_id = 2) const uint BLOCKS = 1u; // of 4 numbers of the state, of an invocation
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool OWN_RATES = false; // one for each number of the state, else one a head

BLOCK_READER(writtenBlock, written)
BLOCK_READER(shownBlock, shown)
BLOCK_READER(ratesBlock, rates)
BLOCK_READER(beforeBlock, before)
BLOCK_WRITER(writeState, state)

float stepOf(uint row, uint head)
{
    const float bias = HAS_BIAS ? float1(stepBias, head) : 0.0;
    return softplus(float1(steps, row * push.stepStride + head) + bias);
}

/// a of a block of the state.
vec4 ratesOf(uint head, uint first)
{
    return OWN_RATES ? ratesBlock(head * push.stateLength, first, push.stateLength)
                     : vec4(float1(rates, head));
}

vec4 decay4(vec4 v)
{
    return exp(max(v, vec4(-kFarOut)));
}
