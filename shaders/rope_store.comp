// Rotates queries and keys in place and writes keys and values into the cache: rope, rope and
// store_kv in one. Every number's place is that of a piece of 4. Invocations take, in order: 4 pairs
// of a query, 4 pairs of a key, 4 other numbers of a key, 4 numbers of a value.
// CACHE_F32: the cache holds floats, else halves.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"
#include "half.glsl"
#include "rotate.glsl"

#ifdef CACHE_F32
#define PIECE vec4
#define packed(v) (v)
#else
#define PIECE uvec2
#define packed packHalves
#endif

BITS(0, batch);
FLOATS(1, angles); // cosine and sine of each pair
FLOATS(2, query);
FLOATS(3, key);
FLOATS(4, value);
OUTPUT(5, queryOut, vec4); // the same numbers
OUTPUT(6, keyOut, vec4);
OUTPUT(7, keys, PIECE); // [head][position][length], a window of heads
OUTPUT(8, values, PIECE);
layout(push_constant) uniform Push // pieces of 4 numbers
{
    uint heads;
    uint kvHeads; // of the window
    uint queryLength; // of a head
    uint keyLength;
    uint valueLength;
    uint queryOffset; // of the rotated numbers of a head
    uint keyOffset;
    uint pairs; // of a head
    uint queryStride; // from row to row
    uint keyStride;
    uint valueStride;
    uint angleStride;
    uint contextLength; // positions
    uint firstKvHead; // of the window
} push;
layout(constant_id = 1) const bool HALVES_APART = false; // pairs are (i, i + pairs), else (2i, 2i + 1)

void main()
{
    const uint row = gl_WorkGroupID.y;
    const uint position = batchPosition() + row;
    const uint step = pieceDistance(HALVES_APART, 4u * push.pairs) / 4u;
    const uint others = push.keyLength - 2u * push.pairs;
    uint i = gl_GlobalInvocationID.x;

    const uint rotating = (push.heads + push.kvHeads) * push.pairs;
    if (i < rotating) {
        const uint pair = i % push.pairs;
        const uint head = i / push.pairs;
        const uint at = HALVES_APART ? pair : 2u * pair;
        const uint angle = row * push.angleStride + 2u * pair;
        const vec4 low = floats4(angles, angle);
        const vec4 high = floats4(angles, angle + 1u);
        if (head < push.heads) {
            const uint first =
                row * push.queryStride + head * push.queryLength + push.queryOffset + at;
            const mat2x4 rotated = rotatedPieces(HALVES_APART, floats4(query, first),
                                                 floats4(query, first + step), low, high);
            queryOut.data[first] = rotated[0];
            queryOut.data[first + step] = rotated[1];
        } else {
            const uint kvHead = head - push.heads;
            const uint ofHead = push.keyOffset + at;
            const uint first =
                row * push.keyStride + (push.firstKvHead + kvHead) * push.keyLength + ofHead;
            const mat2x4 rotated = rotatedPieces(HALVES_APART, floats4(key, first),
                                                 floats4(key, first + step), low, high);
            keyOut.data[first] = rotated[0];
            keyOut.data[first + step] = rotated[1];
            const uint to =
                (kvHead * push.contextLength + position) * push.keyLength + ofHead;
            keys.data[to] = packed(rotated[0]);
            keys.data[to + step] = packed(rotated[1]);
        }
        return;
    }
    i -= rotating;
    if (i < push.kvHeads * others) {
        const uint head = i / others;
        uint at = i % others;
        at += at < push.keyOffset ? 0u : 2u * push.pairs;
        keys.data[(head * push.contextLength + position) * push.keyLength + at] =
            packed(floats4(
                key, row * push.keyStride + (push.firstKvHead + head) * push.keyLength + at));
        return;
    }
    i -= push.kvHeads * others;
    const uint head = i / push.valueLength;
    if (head < push.kvHeads) {
        const uint at = i % push.valueLength;
        values.data[(head * push.contextLength + position) * push.valueLength + at] =
            packed(floats4(
                value, row * push.valueStride + (push.firstKvHead + head) * push.valueLength + at));
    }
}
