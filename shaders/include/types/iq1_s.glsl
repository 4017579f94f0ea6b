// IQ1_S, see BlockIQ1_S.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 50u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint low = bytes4(blockByte + 2u + 4u * unit);
    const uint word = bytes2(blockByte + 34u + 2u * unit);
    const float shift = word >> 15u == 0u ? 0.125 : -0.125;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uvec2 entry = entryOf8(low >> 8u * k & 0xffu | (word >> 3u * k & 7u) << 8u);
        w[2u * k] = vec4(signedBytes(entry.x)) + shift;
        w[2u * k + 1u] = vec4(signedBytes(entry.y)) + shift;
    }
    return halfAt(blockByte) * float(2u * (word >> 12u & 7u) + 1u);
}
#include "types/scaled.glsl"
