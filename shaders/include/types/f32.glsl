// F32: plain numbers.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 16u;
const uint BLOCK_BYTES = 64u;
const uint UNIT = 16u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = uintBitsToFloat(bytes16(blockByte + 16u * i));
    }
}
