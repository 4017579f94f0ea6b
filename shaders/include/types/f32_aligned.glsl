// F32 that begins at a multiple of 16 bytes.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 4u;
const uint UNIT = 16u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    [[unroll]] for (uint i = 0u; i < UNIT / 4u; ++i) {
        w[i] = uintBitsToFloat(bits16(weights, blockByte / 16u + unit * UNIT / 4u + i));
    }
}
