// Q2_K, see BlockQ2_K. A unit has two groups.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 84u;
const uint UNIT = 32u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint packed = bytes2(blockByte + 2u * unit);
    const vec2 head = unpackHalf2x16(alignedWord(blockByte + 80u));
    const vec4 form =
        vec4(packed & 15u, packed >> 4u & 15u, packed >> 8u & 15u, packed >> 12u) * head.xyxy;
    const uint quants = blockByte + 16u + unit / 4u * 32u;
    const uvec4 first = words16(quants);
    const uvec4 second = words16(quants + 16u);
    const uint shift = unit % 4u * 2u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(fields(first[i], shift, 3u)) * form.x - form.y;
        w[i + 4u] = vec4(fields(second[i], shift, 3u)) * form.z - form.w;
    }
}
