// IQ3_S, see BlockIQ3_S.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/codebook.glsl"
const uint BLOCK_WEIGHTS = 256u;
const uint BLOCK_BYTES = 110u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec2 low = bytes8(blockByte + 2u + 8u * unit);
    const uint high = byteAt(blockByte + 66u + unit);
    const uint signs = bytes4(blockByte + 74u + 4u * unit);
    [[unroll]] for (uint k = 0u; k < 8u; ++k) {
        const uint index = low[k / 4u] >> k % 4u * 8u & 0xffu | (high >> k & 1u) << 8u;
        w[k] = withSigns(entryOf4(index), signs >> 4u * k);
    }
    const uint subScale = byteAt(blockByte + 106u + unit / 2u) >> unit % 2u * 4u & 15u;
    return halfAt(blockByte) * float(2u * subScale + 1u);
}
#include "types/scaled.glsl"
