// Rows of a table named by the tokens: one invocation a number.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"

BITS(0, batch);
BITS(1, table);
OUTPUT(2, y, float);
layout(push_constant) uniform Push
{
    uint columns;
    uint outStride;
    uint rowBytes;
    uint firstByte; // of the window's first row
    uint firstRow; // the window holds these rows alone
    uint rows;
} push;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint row = gl_WorkGroupID.y;
    const uint token = batchToken(row) - push.firstRow;
    if (i >= push.columns || token >= push.rows) {
        return;
    }
    const uint word = (push.firstByte + token * push.rowBytes) / 4u + i;
    y.data[row * push.outStride + i] = uintBitsToFloat(bits16(table, word / 4u)[word % 4u]);
}
