// IQ2_XS, see BlockIQ2_XS. A unit has two scales.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 74u;
const uint UNIT = 32u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 words = bytes8(blockByte + 2u + 8u * unit);
    const uint nibbles = byteAt(blockByte + 66u + unit);
    const vec2 scales = halfAt(blockByte) * (0.5 + vec2(nibbles & 15u, nibbles >> 4u)) * 0.25;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uint word = words[k / 2u] >> k % 2u * 16u & 0xffffu;
        const uvec2 entry = entryOf8(word & 511u);
        const uint signs = eightSigns(word >> 9u);
        w[2u * k] = withSigns(entry.x, signs) * scales[k / 2u];
        w[2u * k + 1u] = withSigns(entry.y, signs >> 4u) * scales[k / 2u];
    }
}
