// Rows of floats as signed bytes for linear_dot.comp: of each 32 numbers 32 bytes and 16 more, which begin with the scale
// of the bytes and their sum, as floats. An invocation has 32 numbers.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"

FLOATS(0, x);
OUTPUT(1, y, uvec4);
layout(push_constant) uniform Push
{
    uint units; // of all rows
    uint inStride; // vec4 from row to row
    uint unitsOfRow;
} push;

const uint VECTORS = 8u; // of a unit
const uint PIECES = 3u; // of 16 bytes
const float MOST = 127.0;

void main()
{
    const uint unit = gl_GlobalInvocationID.x;
    if (unit >= push.units) {
        return;
    }
    const uint at = unit / push.unitsOfRow * push.inStride + unit % push.unitsOfRow * VECTORS;
    vec4 numbers[VECTORS];
    uvec4 sizes = uvec4(0u); // compared as integers: beside them infinities and what is no number are largest
    [[unroll]] for (uint i = 0u; i < VECTORS; ++i) {
        numbers[i] = floats4(x, at + i);
        sizes = max(sizes, floatBitsToUint(numbers[i]) & 0x7fffffffu);
    }
    const uint size = max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
    const float largest = uintBitsToFloat(size);
    const bool isNumber = size < 0x7f800000u;
    const bool isSmall = isNumber && largest < 1e-30; // its inverse may be none: such numbers count as zeros
    const float toCodes = isNumber && !isSmall ? MOST / largest : 0.0;
    uint codes[VECTORS];
    int sum = 0;
    [[unroll]] for (uint i = 0u; i < VECTORS; ++i) {
        const ivec4 code = isNumber ? ivec4(roundEven(numbers[i] * toCodes)) : ivec4(0);
        const ivec4 bytes = code & 255;
        codes[i] = uint(bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24);
        sum += code.x + code.y + code.z + code.w;
    }
    // what is no number reaches every result of the row by its scale
    const float scale = isSmall ? 0.0 : isNumber ? largest / MOST : uintBitsToFloat(0x7fc00000u);
    const uint piece = unit * PIECES;
    y.data[piece] = uvec4(codes[0], codes[1], codes[2], codes[3]);
    y.data[piece + 1u] = uvec4(codes[4], codes[5], codes[6], codes[7]);
    y.data[piece + 2u] = uvec4(floatBitsToUint(scale), floatBitsToUint(float(sum)), 0u, 0u);
}
