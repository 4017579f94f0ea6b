// Rows of a table named by the tokens, or by their positions: one invocation decodes one unit.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"

BITS(0, batch);
BITS(1, weights);
OUTPUT(2, y, vec4);
#define GRIDS_SLOT 3
#include "type.glsl"

layout(push_constant) uniform Push
{
    uint columns;
    uint outStride; // of vec4
    uint rowBytes;
    uint firstByte; // of the window's first row
    uint firstRow; // the window holds these rows alone
    uint rows;
    uint lastRow; // of the table: goes on for ever
} push;
/// Adds the row of the position; else puts the row of the token.
layout(constant_id = 1) const bool POSITIONS = false;

void main()
{
    const uint column = gl_GlobalInvocationID.x * UNIT;
    const uint row = gl_WorkGroupID.y;
    const uint wanted = POSITIONS ? min(batchPosition() + row, push.lastRow) : batchToken(row);
    const uint inWindow = wanted - push.firstRow;
    if (column >= push.columns || inWindow >= push.rows) {
        return;
    }
    const uint block = column / BLOCK_WEIGHTS;
    vec4 w[UNIT / 4u];
    decodeUnit(push.firstByte + inWindow * push.rowBytes + block * BLOCK_BYTES,
               column % BLOCK_WEIGHTS / UNIT, w);
    const uint to = row * push.outStride + column / 4u;
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        const uint first = column + 4u * i;
        if (first < push.columns) {
            const vec4 inside = mix(vec4(0.0), w[i], lessThan(first + uvec4(0u, 1u, 2u, 3u),
                                                              uvec4(push.columns)));
            y.data[to + i] = POSITIONS ? y.data[to + i] + inside : inside;
        }
    }
}
