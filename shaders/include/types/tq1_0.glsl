// TQ1_0, see BlockTQ1_0.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 54u;
const uint UNIT = 16u;

/// Digit `n` of each byte of `word` (see ternaryDigit), less 1.
vec4 digits(uint word, uint n)
{
    const uint power = n == 4u ? 81u : 0x1b090301u >> 8u * n & 0xffu;
    const uvec4 rest = fields(word, 0u, 0xffu) * power & 0xffu;
    return vec4(ivec4(rest * 3u >> 8u) - 1);
}

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    // five rows of two units, five rows of one, and in the last unit four short ones
    const uint place = unit < 10u ? unit % 2u * 16u : unit < 15u ? 32u : 48u;
    const uvec4 bytes = bytes16(blockByte + place);
    const bool isLast = unit == 15u;
    const uint row = unit < 10u ? unit / 2u : unit - 10u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = digits(isLast ? bytes.x : bytes[i], isLast ? i : row);
    }
    return halfAt(blockByte + 52u);
}
#include "types/scaled.glsl"
