// Causal attention over the cache in one pass, with the online softmax of Milakov and Gimelshein
// (arXiv 1805.02867). A workgroup takes a few queries (heads and rows) that share a key/value head.
// Tile by tile of positions it computes the scores (an invocation takes whole keys), then adds the
// values (an invocation takes pieces of 4 numbers of them).
// CACHE_F32: the cache holds floats, else halves.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "batch.glsl"
#include "reduce.glsl"

#ifdef CACHE_F32
#define CACHE FLOATS
#define cached floats4
#else
#define CACHE HALVES
#define cached halves4
#endif

BITS(0, batch);
FLOATS(1, query);
CACHE(2, keys); // [head][position][padded length]
CACHE(3, values);
FLOATS(4, sinks);
OUTPUT(5, y, float);
layout(push_constant) uniform Push
{
    uint rows;
    uint heads;
    uint group; // query heads of a key/value head
    uint contextLength;
    uint queryStride; // floats from row to row
    uint outStride;
    uint window; // positions that a row sees at most; 0: all
    uint chunk; // positions of a stretch that is seen alone; 0: all
    float scale;
    float softCap; // 0: none
    float alibi; // largest bias; 0: none
} push;
layout(constant_id = 1) const uint KEY_LENGTH = 64; // of a head
layout(constant_id = 2) const uint VALUE_LENGTH = 64;
layout(constant_id = 3) const uint HEADS = 1; // of a group that a workgroup takes
layout(constant_id = 4) const uint ROWS = 1; // that a workgroup takes
layout(constant_id = 5) const uint STEPS = 4; // keys of a tile that an invocation takes
layout(constant_id = 6) const bool HAS_SINKS = false;

const uint KEY_PIECES = (KEY_LENGTH + 3u) / 4u;
const uint VALUE_PIECES = (VALUE_LENGTH + 3u) / 4u;
const uint QUERIES = HEADS * ROWS; // number n: head n % HEADS of row n / HEADS
const uint TILE = STEPS * GROUP_SIZE; // positions
// Invocations share a value's pieces; where there are more than pieces, they share the positions.
const uint SLICES = GROUP_SIZE > VALUE_PIECES ? GROUP_SIZE / VALUE_PIECES : 1u;
const uint PIECES = (VALUE_PIECES + GROUP_SIZE - 1u) / GROUP_SIZE; // of an invocation
const float LEAST = -1.7e38; // of maxima: infinity would give NaN where nothing is seen

shared float weightShared[QUERIES * TILE];
shared vec4 sumShared[SLICES > 1u ? QUERIES * GROUP_SIZE : 1u];

uint firstHead()
{
    return gl_WorkGroupID.x * HEADS;
}

uint rowOf(uint n)
{
    return min(gl_WorkGroupID.y * ROWS + n / HEADS, push.rows - 1u);
}

uint headOf(uint n)
{
    return firstHead() + n % HEADS;
}

vec4 queryPiece(uint n, uint piece)
{
    const uint begin = rowOf(n) * push.queryStride + headOf(n) * KEY_LENGTH;
    if (KEY_LENGTH % 4u == 0u) {
        return floats4(query, begin / 4u + piece);
    }
    vec4 v;
    for (uint c = 0u; c < 4u; ++c) {
        const uint at = 4u * piece + c;
        v[c] = at < KEY_LENGTH ? float1(query, begin + at) : 0.0;
    }
    return v;
}

/// The first position that a row at `position` sees.
uint firstSeen(uint position)
{
    if (push.chunk > 0u) {
        return position - position % push.chunk;
    }
    return push.window > 0u && position + 1u > push.window ? position + 1u - push.window : 0u;
}

/// A geometric row, and for heads beyond a power of two every second number of a finer one: ALiBi,
/// arXiv 2108.12409.
float slope(uint head)
{
    const uint n = 1u << findMSB(push.heads);
    const float exponent = head < n ? float(head + 1u) / float(n)
                                    : float(2u * (head - n) + 1u) / float(2u * n);
    return exp2(-push.alibi * exponent);
}

/// A score as the model's rules have it. tanh by hand: some drivers' gives NaN far out.
float ruled(float score, float slope, uint distance)
{
    if (push.softCap > 0.0) {
        const float e = exp(-2.0 * abs(score) / push.softCap);
        score = sign(score) * push.softCap * (1.0 - e) / (1.0 + e);
    }
    return score - slope * float(distance);
}

void main()
{
    const uint self = gl_LocalInvocationID.x;
    const uint kvHead = firstHead() / push.group;
    const uint position = batchPosition();
    const uint begin = firstSeen(position + rowOf(0u));
    const uint end = position + rowOf(QUERIES - 1u) + 1u;
    const uint cacheRow = kvHead * push.contextLength;
    const uint myPiece = self % VALUE_PIECES;
    const uint mySlice = self / VALUE_PIECES;

    float slopes[QUERIES];
    float most[QUERIES];
    float sums[QUERIES]; // of this invocation's keys
    vec4 acc[QUERIES * PIECES];
    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        slopes[n] = push.alibi > 0.0 ? slope(headOf(n)) : 0.0;
        most[n] = LEAST;
        sums[n] = 0.0;
        [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
            acc[n * PIECES + p] = vec4(0.0);
        }
    }

    for (uint tile = begin; tile < end; tile += TILE) {
        // scores; keys beyond the end are read as the last one and don't count
        float scores[QUERIES * STEPS];
        uint at[STEPS];
        [[unroll]] for (uint s = 0u; s < STEPS; ++s) {
            at[s] = (cacheRow + min(tile + s * GROUP_SIZE + self, end - 1u)) * KEY_PIECES;
            [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
                scores[n * STEPS + s] = 0.0;
            }
        }
        for (uint piece = 0u; piece < KEY_PIECES; ++piece) {
            vec4 k[STEPS];
            [[unroll]] for (uint s = 0u; s < STEPS; ++s) {
                k[s] = cached(keys, at[s] + piece);
            }
            [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
                const vec4 q = queryPiece(n, piece);
                [[unroll]] for (uint s = 0u; s < STEPS; ++s) {
                    scores[n * STEPS + s] += dot(q, k[s]);
                }
            }
        }
        // weights
        groupBarrier(); // the last tile's have been read
        [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
            const uint own = position + rowOf(n);
            const uint first = firstSeen(own);
            float tileMost = most[n];
            [[unroll]] for (uint s = 0u; s < STEPS; ++s) {
                const uint j = tile + s * GROUP_SIZE + self;
                const bool seen = j >= first && j <= own;
                const float score =
                    seen ? ruled(scores[n * STEPS + s] * push.scale, slopes[n], own - j) : LEAST;
                scores[n * STEPS + s] = score;
                tileMost = max(tileMost, score);
            }
            tileMost = groupMax(tileMost);
            const float correction = exp(most[n] - tileMost);
            most[n] = tileMost;
            sums[n] *= correction;
            [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
                acc[n * PIECES + p] *= correction;
            }
            [[unroll]] for (uint s = 0u; s < STEPS; ++s) {
                const uint j = tile + s * GROUP_SIZE + self;
                const bool seen = j >= first && j <= own;
                const float weight = seen ? exp(scores[n * STEPS + s] - tileMost) : 0.0;
                sums[n] += weight;
                weightShared[n * TILE + s * GROUP_SIZE + self] = weight;
            }
        }
        groupBarrier();
        // values
        const uint count = min(TILE, end - tile);
        if (mySlice < SLICES) {
            for (uint j = mySlice; j < count; j += SLICES) {
                const uint row = (cacheRow + tile + j) * VALUE_PIECES;
                float weights[QUERIES];
                [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
                    weights[n] = weightShared[n * TILE + j];
                }
                [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
                    const uint piece = min(myPiece + p * GROUP_SIZE, VALUE_PIECES - 1u);
                    const vec4 v = cached(values, row + piece);
                    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
                        acc[n * PIECES + p] += weights[n] * v;
                    }
                }
            }
        }
    }

    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        float sum = groupSum(sums[n]);
        float factor = 1.0;
        if (HAS_SINKS) {
            const float sink = float1(sinks, headOf(n));
            const float most2 = max(most[n], sink);
            factor = exp(most[n] - most2);
            sum = sum * factor + exp(sink - most2);
        }
        factor /= sum;
        [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
            acc[n * PIECES + p] *= factor;
        }
    }
    if (SLICES > 1u) {
        groupBarrier();
        [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
            sumShared[n * GROUP_SIZE + self] = acc[n * PIECES];
        }
        groupBarrier();
        [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
            for (uint slice = 1u; slice < SLICES; ++slice) {
                acc[n * PIECES] += sumShared[n * GROUP_SIZE + slice * VALUE_PIECES + myPiece];
            }
        }
    }
    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        const uint row = gl_WorkGroupID.y * ROWS + n / HEADS;
        const uint to = row * push.outStride + headOf(n) * VALUE_LENGTH;
        [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
            const uint piece = self + p * GROUP_SIZE;
            if (piece < VALUE_PIECES && row < push.rows) {
                for (uint c = 0u; c < 4u; ++c) {
                    if (4u * piece + c < VALUE_LENGTH) {
                        y.data[to + 4u * piece + c] = acc[n * PIECES + p][c];
                    }
                }
            }
        }
    }
}
