// IQ3_XXS, see BlockIQ3_XXS.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 98u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 indices = bytes8(blockByte + 2u + 8u * unit);
    const uint word = bytes4(blockByte + 66u + 4u * unit);
    [[unroll]] for (uint k = 0u; k < 8u; ++k) {
        const uint signs = eightSigns(word >> k / 2u * 7u & 127u) >> k % 2u * 4u;
        w[k] = withSigns(entryOf4(indices[k / 4u] >> k % 4u * 8u & 0xffu), signs);
    }
    return halfAt(blockByte) * (0.5 + float(word >> 28u)) * 0.5;
}
#include "types/scaled.glsl"
