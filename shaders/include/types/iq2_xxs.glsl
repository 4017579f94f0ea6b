// IQ2_XXS, see BlockIQ2_XXS.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 66u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 words = bytes8(blockByte + 2u + 8u * unit);
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uvec2 entry = entryOf8(words.x >> 8u * k & 0xffu);
        const uint signs = eightSigns(words.y >> 7u * k & 127u);
        w[2u * k] = withSigns(entry.x, signs);
        w[2u * k + 1u] = withSigns(entry.y, signs >> 4u);
    }
    return halfAt(blockByte) * (0.5 + float(words.y >> 28u)) * 0.25;
}
#include "types/scaled.glsl"
