// I8.
// SPDX-License-Identifier: Apache-2.0
#include "bytes.glsl"
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 1u;
const uint UNIT = 16u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    const uvec4 bytes = bytes16(blockByte + UNIT * unit);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(signedBytes(bytes[i]));
    }
}
