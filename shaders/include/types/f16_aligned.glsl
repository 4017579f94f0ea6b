// F16 that begins at a multiple of 16 bytes.
// SPDX-License-Identifier: Apache-2.0
const uint BLOCK_WEIGHTS = 1u;
const uint BLOCK_BYTES = 2u;
const uint UNIT = 16u;

void decodeUnit(uint blockByte, uint unit, out vec4 w[UNIT / 4u])
{
    [[unroll]] for (uint i = 0u; i < UNIT / 8u; ++i) {
        const uvec4 h = bits16(weights, blockByte / 16u + unit * UNIT / 8u + i);
        w[2u * i] = vec4(unpackHalf2x16(h.x), unpackHalf2x16(h.y));
        w[2u * i + 1u] = vec4(unpackHalf2x16(h.z), unpackHalf2x16(h.w));
    }
}
