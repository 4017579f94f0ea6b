// Bytes of the input `weights` from any place on. Include it behind BITS(n, weights).
// SPDX-License-Identifier: Apache-2.0
//
// The file of a tensor type, types/<type>.glsl, is included as "type.glsl" behind that input and
// behind `#define GRIDS_SLOT n`, where types with codebooks have theirs (WeightStore::codebook). It
// defines
//   BLOCK_WEIGHTS  weights of a block; 1 for plain numbers
//   BLOCK_BYTES    bytes of a block
//   UNIT           weights decoded at once: divides BLOCK_WEIGHTS, but for plain numbers
//   decodeUnit     (blockByte, unit, out vec4 w[UNIT / 4]): weights unit · UNIT and on of a block
// and, where a whole unit has one scale,
//   HAS_SCALE      decodeScaled: the same, to be multiplied by the result
//   HAS_AFFINE     decodeAffine: the same, to be multiplied by x of the result and increased by y
// Types whose levels fit into signed bytes have, for linear_dot.comp,
//   decodeCodes    the levels of a unit of 32, a byte each, and what they are multiplied by (x of the result);
//                  with CODES_HAVE_TWO_SCALES by y those from the 16th on
//                  with CODES_HAVE_MINIMUM y is added then
// A block begins at a multiple of 4 where its size is one, else at an even byte, of MXFP4 at any.
// Up to 64 bytes past the last row are read.

/// 4 bytes from a multiple of 4 on.
uint alignedWord(uint byte)
{
    return bits16(weights, byte / 16u)[byte / 4u % 4u];
}

/// 16 bytes: the two pieces around them, moved by 8, by 4 and by single bytes.
uvec4 bytes16(uint byte)
{
    const uvec4 first = bits16(weights, byte / 16u);
    const uvec4 second = bits16(weights, byte / 16u + 1u);
    const bool by8 = (byte & 8u) != 0u;
    const uvec4 a = by8 ? uvec4(first.zw, second.xy) : first;
    const uvec2 b = by8 ? second.zw : second.xy;
    const bool by4 = (byte & 4u) != 0u;
    const uvec4 low = by4 ? uvec4(a.yzw, b.x) : a;
    const uint next = by4 ? b.y : b.x;
    const uint bits = byte % 4u * 8u;
    // in two steps: a shift by 32 means nothing
    return low >> bits | (uvec4(low.yzw, next) << 1u) << (31u - bits);
}

/// 16 bytes from a multiple of 4 on.
uvec4 words16(uint byte)
{
    const uvec4 first = bits16(weights, byte / 16u);
    const uvec4 second = bits16(weights, byte / 16u + 1u);
    const bool by8 = (byte & 8u) != 0u;
    const uvec4 a = by8 ? uvec4(first.zw, second.xy) : first;
    return (byte & 4u) != 0u ? uvec4(a.yzw, by8 ? second.z : second.x) : a;
}

uvec2 bytes8(uint byte)
{
    return bytes16(byte).xy;
}

uint bytes4(uint byte)
{
    return bytes16(byte).x;
}

/// 2 bytes from a multiple of 2 on.
uint bytes2(uint byte)
{
    return alignedWord(byte) >> byte % 4u * 8u & 0xffffu;
}

uint byteAt(uint byte)
{
    return alignedWord(byte) >> byte % 4u * 8u & 0xffu;
}

/// The half at a multiple of 2.
float halfAt(uint byte)
{
    return unpackHalf2x16(bytes2(byte)).x;
}

/// Of each byte of `word` the bits from `shift` on that are in `mask`.
uvec4 fields(uint word, uint shift, uint mask)
{
    return uvec4(word) >> shift + uvec4(0u, 8u, 16u, 24u) & mask;
}

/// The low nibbles of its bytes.
vec4 lowNibbles(uint word)
{
    return vec4(ivec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 15u));
}

/// The high ones.
vec4 highNibbles(uint word)
{
    return vec4(ivec4(uvec4(word >> 4, word >> 12, word >> 20, word >> 28) & 15u));
}

/// The bytes of `word`, with their signs.
ivec4 signedBytes(uint word)
{
    return ivec4(uvec4(word) << uvec4(24u, 16u, 8u, 0u)) >> 24;
}

/// The lowest four bits of `bits` as bytes of 0 or 1.
uint bitOfEach(uint bits)
{
    return (bits & 15u) * 0x00204081u & 0x01010101u;
}

/// Bytes below 128 less `by`, which is at most 128: then they are signed.
uvec4 lessened(uvec4 bytes, uint by)
{
    return (bytes | 0x80808080u) - by * 0x01010101u ^ 0x80808080u;
}
