// Keys and values of the batch into the cache: one invocation a piece of 4 numbers.
// CACHE_F32: the cache holds floats, else halves, two a word.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"
#include "half.glsl"

#ifdef CACHE_F32
#define PIECE vec4
#define packed(v) (v)
#else
#define PIECE uvec2
#define packed packHalves
#endif

BITS(0, batch);
FLOATS(1, key);
FLOATS(2, value);
OUTPUT(3, keys, PIECE); // [head][position][padded length], a window of heads
OUTPUT(4, values, PIECE);
layout(push_constant) uniform Push
{
    uint heads; // of the window
    uint keyStride; // floats from row to row
    uint valueStride;
    uint contextLength;
    uint firstHead; // of the window
} push;
layout(constant_id = 1) const uint KEY_LENGTH = 64; // of a head
layout(constant_id = 2) const uint VALUE_LENGTH = 64;
const uint KEY_PIECES = (KEY_LENGTH + 3u) / 4u;
const uint VALUE_PIECES = (VALUE_LENGTH + 3u) / 4u;

/// Numbers 4i … of a head that begins at `begin`; zeros behind its end.
#define PIECE_OF(input, begin, i, length, v)                                                       \
    if (length % 4u == 0u) {                                                                       \
        v = floats4(input, (begin) / 4u + (i));                                                    \
    } else {                                                                                       \
        for (uint c = 0u; c < 4u; ++c) {                                                           \
            const uint at = 4u * (i) + c;                                                          \
            v[c] = at < length ? float1(input, (begin) + at) : 0.0;                                \
        }                                                                                          \
    }

void main()
{
    const uint row = gl_WorkGroupID.y;
    const uint position = batchPosition() + row;
    const uint keyPieces = push.heads * KEY_PIECES;
    uint i = gl_GlobalInvocationID.x;
    vec4 v = vec4(0.0);
    if (i < keyPieces) {
        const uint head = i / KEY_PIECES;
        i %= KEY_PIECES;
        PIECE_OF(key, row * push.keyStride + (push.firstHead + head) * KEY_LENGTH, i, KEY_LENGTH, v)
        keys.data[(head * push.contextLength + position) * KEY_PIECES + i] = packed(v);
        return;
    }
    i -= keyPieces;
    const uint head = i / VALUE_PIECES;
    i %= VALUE_PIECES;
    if (head < push.heads) {
        PIECE_OF(value, row * push.valueStride + (push.firstHead + head) * VALUE_LENGTH, i, VALUE_LENGTH, v)
        values.data[(head * push.contextLength + position) * VALUE_PIECES + i] = packed(v);
    }
}
