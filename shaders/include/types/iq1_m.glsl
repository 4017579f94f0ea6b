// IQ1_M, see BlockIQ1_M. A unit has two scales.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 56u;
const uint UNIT = 32u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint low = alignedWord(blockByte + 4u * unit);
    const uint nibbles = bytes2(blockByte + 32u + 2u * unit);
    const uvec2 words = words16(blockByte + 48u).xy;
    const uint bits = words.x >> 12u & 0xfu | words.x >> 24u & 0xf0u | words.y >> 4u & 0xf00u
        | words.y >> 16u & 0xf000u; // see scaleBitsOf
    const uint word = words[unit / 4u] >> unit / 2u % 2u * 16u >> unit % 2u * 6u;
    const vec2 scales =
        unpackHalf2x16(bits).x * vec2(2u * (word & 7u) + 1u, 2u * (word >> 3u & 7u) + 1u);
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uint nibble = nibbles >> 4u * k;
        const uvec2 entry = entryOf8(low >> 8u * k & 0xffu | (nibble & 7u) << 8u);
        const float shift = (nibble & 8u) == 0u ? 0.125 : -0.125;
        w[2u * k] = (vec4(signedBytes(entry.x)) + shift) * scales[k / 2u];
        w[2u * k + 1u] = (vec4(signedBytes(entry.y)) + shift) * scales[k / 2u];
    }
}
