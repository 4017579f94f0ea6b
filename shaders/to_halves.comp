// Rows of floats as halves for linear_matrix.comp: 16 bytes that begin with a scale, then pieces of 8 halves to be
// multiplied by it, zeros behind the numbers. A group has a row.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"

FLOATS(0, x);
OUTPUT(1, y, uvec4);
layout(push_constant) uniform Push
{
    uint rows; // those behind them are zeros
    uint inStride; // vec4 from row to row
    uint inPieces; // vec4 with numbers
    uint outPieces; // uvec4 from row to row
} push;

/// Of a power of two that brings the largest number between 2^14 and 2^15, as a float has it. Its inverse is an
/// ordinary float too.
uint scaleExponent(float largest)
{
    const uint exponent = floatBitsToUint(largest) >> 23;
    return uint(clamp(127 + 127 + 14 - int(exponent), 1, 253));
}

float powerOfTwo(uint exponent)
{
    return uintBitsToFloat(exponent << 23);
}

vec4 xPiece(uint row, uint i)
{
    return i < push.inPieces ? floats4(x, row * push.inStride + i) : vec4(0.0);
}

void main()
{
    const uint row = gl_WorkGroupID.x;
    const bool isThere = row < push.rows;
    float largest = 0.0;
    for (uint i = gl_LocalInvocationID.x; isThere && i < push.inPieces; i += GROUP_SIZE) {
        const vec4 v = abs(xPiece(row, i));
        largest = max(max(largest, max(v.x, v.y)), max(v.z, v.w));
    }
    const uint exponent = scaleExponent(groupMax(largest));
    const float scale = powerOfTwo(exponent);
    const uint outRow = row * push.outPieces;
    if (gl_LocalInvocationID.x == 0u) {
        y.data[outRow] = uvec4(floatBitsToUint(powerOfTwo(254u - exponent)), 0u, 0u, 0u);
    }
    for (uint i = gl_LocalInvocationID.x; i + 1u < push.outPieces; i += GROUP_SIZE) {
        uvec4 halves = uvec4(0u);
        if (isThere) {
            const vec4 a = xPiece(row, 2u * i) * scale;
            const vec4 b = xPiece(row, 2u * i + 1u) * scale;
            halves = uvec4(packHalf2x16(a.xy), packHalf2x16(a.zw), packHalf2x16(b.xy), packHalf2x16(b.zw));
        }
        y.data[outRow + 1u + i] = halves;
    }
}
