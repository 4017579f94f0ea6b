// Levels of 5 bits in blocks of 32.
// SPDX-License-Identifier: Apache-2.0

/// Levels 4 i … 4 i + 3: a nibble of `quants`, above it a bit of `highBits`.
uvec4 fiveBits(uvec4 quants, uint highBits, uint i)
{
    const uvec4 high = uvec4(highBits) >> 4u * i + uvec4(0u, 1u, 2u, 3u) & 1u;
    return fields(quants[i % 4u], i / 4u * 4u, 15u) | high << 4u;
}

/// The same of all 32, a byte each.
void fiveBitCodes(uvec4 quants, uint highBits, out uvec4 codes[2])
{
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        codes[i / 4u][i % 4u] = quants[i % 4u] >> i / 4u * 4u & 0x0f0f0f0fu | bitOfEach(highBits >> 4u * i) << 4u;
    }
}
