// MXFP4, see BlockMXFP4.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/fp4_values.glsl"
const uint BLOCK_WEIGHTS = 32u;
const uint BLOCK_BYTES = 17u;
const uint UNIT = 32u;

float decodeScaled(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 quants = bytes16(blockByte + 1u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = fp4Values(fields(quants[i], 0u, 15u));
        w[i + 4u] = fp4Values(fields(quants[i], 4u, 15u));
    }
    const uint exponent = byteAt(blockByte); // see e8m0ToFloat
    return uintBitsToFloat(exponent < 2u ? 0x00200000u << exponent : exponent - 1u << 23u);
}
#include "types/scaled.glsl"
