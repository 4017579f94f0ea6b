// NVFP4, see BlockNVFP4. A unit has two groups.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
#include "types/fp4_values.glsl"
const uint BLOCK_WEIGHTS = 64u;
const uint BLOCK_BYTES = 36u;
const uint UNIT = 32u;

/// See e4m3ToFloat.
float subScale(uint bits)
{
    const uint exponent = bits >> 3u & 15u;
    const float fraction = float(bits & 7u);
    const float normal = uintBitsToFloat(exponent + 119u << 23u | (bits & 7u) << 20u);
    return bits == 0x7fu ? 0.0 : exponent == 0u ? fraction * exp2(-10.0) : normal;
}

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 quants = words16(blockByte + 4u + 16u * unit);
    const uint scales = bytes2(blockByte + 2u * unit);
    [[unroll]] for (uint group = 0u; group < 2u; ++group) {
        const float scale = subScale(scales >> 8u * group & 0xffu);
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            w[4u * group + i] =
                scale * fp4Values(fields(quants[2u * group + i % 2u], i / 2u * 4u, 15u));
        }
    }
}
