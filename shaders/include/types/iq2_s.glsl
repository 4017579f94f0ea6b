// IQ2_S, see BlockIQ2_S. A unit has two scales.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 82u;
const uint UNIT = 32u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uint low = bytes4(blockByte + 2u + 4u * unit);
    const uint allSigns = bytes4(blockByte + 34u + 4u * unit);
    const uint high = byteAt(blockByte + 66u + unit);
    const uint nibbles = byteAt(blockByte + 74u + unit);
    const vec2 scales = halfAt(blockByte) * (0.5 + vec2(nibbles & 15u, nibbles >> 4u)) * 0.25;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uvec2 entry = entryOf8(low >> 8u * k & 0xffu | (high >> 2u * k & 3u) << 8u);
        const uint signs = allSigns >> 8u * k;
        w[2u * k] = withSigns(entry.x, signs) * scales[k / 2u];
        w[2u * k + 1u] = withSigns(entry.y, signs >> 4u) * scales[k / 2u];
    }
}
