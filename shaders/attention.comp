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
#ifdef TEXELS
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#ifdef CACHE_F32
#define CACHE FLOATS
#define cached floats4
#else
#define CACHE HALVES
#define cached halves4
#endif

BITS(0, batch);
FLOATS(1, query);
CACHE(2, keys); // [head][position][padded length], a window of heads
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
    uint firstHead; // whose keys are the first of the window
} push;
layout(constant_id = 1) const uint KEY_LENGTH = 64; // of a head
layout(constant_id = 2) const uint VALUE_LENGTH = 64;
layout(constant_id = 3) const uint HEADS = 1; // of a group that a workgroup takes
layout(constant_id = 4) const uint ROWS = 1; // that a workgroup takes
layout(constant_id = 5) const uint STEPS = 4; // keys of a tile that an invocation takes
// Invocations share a value's pieces; where there are more of them than pieces, they share the
// positions too: (slices) x (pieces) invocations work. Where texels are read it divides their number.
layout(constant_id = 6) const uint SLICES = 1;
layout(constant_id = 7) const uint PARTS = 1; // workgroups that share the positions: see attention_join
layout(constant_id = 8) const bool HAS_SINKS = false;
layout(constant_id = 9) const bool HAS_CAP = false;
layout(constant_id = 10) const bool HAS_SLOPES = false;

const uint KEY_PIECES = (KEY_LENGTH + 3u) / 4u;
const uint VALUE_PIECES = (VALUE_LENGTH + 3u) / 4u;
const uint QUERIES = HEADS * ROWS; // number n: head n % HEADS of row n / HEADS
const uint TILE = STEPS * GROUP_SIZE; // positions
const uint PIECES = (VALUE_PIECES + GROUP_SIZE - 1u) / GROUP_SIZE; // of an invocation
const float LEAST = -1.7e38; // of maxima: infinity would give NaN where nothing is seen
// Software devices take weights from each other's registers: shared memory is slow there. Of long
// values that would be too much code.
#ifdef TEXELS
const bool SHUFFLES = PIECES <= 4u;
#else
const bool SHUFFLES = false;
#endif

shared float weightShared[SHUFFLES ? 1u : QUERIES * TILE];
shared vec4 sumShared[SLICES > 1u ? GROUP_SIZE : 1u];

uint firstHead()
{
    return push.firstHead + gl_WorkGroupID.x * HEADS;
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

/// A score as the model's rules have it. tanh by hand: that of some drivers is NaN far out.
float ruled(float score, float slope, uint distance)
{
    if (HAS_CAP) {
        const float e = exp(-2.0 * abs(score) / push.softCap);
        score = sign(score) * push.softCap * (1.0 - e) / (1.0 + e);
    }
    return HAS_SLOPES ? score - slope * float(distance) : score;
}

/// What a tile adds to the sums of the queries.
#define ADD_VALUE(weightOf, j)                                                                     \
    {                                                                                              \
        const uint row = (cacheRow + (j)) * VALUE_PIECES;                                          \
        [[unroll]] for (uint p = 0u; p < PIECES; ++p) {                                            \
            const vec4 v = cached(values, row + min(myPiece + p * GROUP_SIZE, VALUE_PIECES - 1u)); \
            [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {                                       \
                acc[n * PIECES + p] += weightOf * v;                                               \
            }                                                                                      \
        }                                                                                          \
    }

void main()
{
    const uint self = gl_LocalInvocationID.x;
    const uint kvHead = gl_WorkGroupID.x * HEADS / push.group; // of the window
    const uint position = batchPosition();
    uint begin = firstSeen(position + rowOf(0u));
    uint end = position + rowOf(QUERIES - 1u) + 1u;
    if (PARTS > 1u) {
        const uint keysOfPart = (end - begin + PARTS * TILE - 1u) / (PARTS * TILE) * TILE;
        begin += gl_WorkGroupID.z * keysOfPart;
        end = min(end, begin + keysOfPart);
    }
    const uint cacheRow = kvHead * push.contextLength;
    const uint myPiece = self % VALUE_PIECES;
    const uint mySlice = self / VALUE_PIECES;

    float slopes[QUERIES];
    float most[QUERIES];
    float sums[QUERIES]; // of this invocation's keys
    vec4 acc[QUERIES * PIECES];
    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        slopes[n] = HAS_SLOPES ? slope(headOf(n)) : 0.0;
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
        if (!SHUFFLES) {
            groupBarrier(); // the last tile's have been read
        }
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
scores[n * STEPS + s] = weight;
                if (!SHUFFLES) {
                    weightShared[n * TILE + s * GROUP_SIZE + self] = weight;
                }
            }
        }
        if (SHUFFLES) {
#ifdef TEXELS
            const uint steps = min(STEPS, (end - tile + GROUP_SIZE - 1u) / GROUP_SIZE);
            [[dont_unroll]] for (uint s = 0u; s < steps; ++s) {
                float weights[QUERIES];
                [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
                    weights[n] = scores[n * STEPS];
                    [[unroll]] for (uint t = 1u; t < STEPS; ++t) {
                        weights[n] = s == t ? scores[n * STEPS + t] : weights[n];
                    }
                }
                [[unroll]] for (uint l = 0u; l < GROUP_SIZE; l += SLICES) {
                    const uint lane = SLICES > 1u ? l + mySlice % SLICES : l;
                    ADD_VALUE(subgroupShuffle(weights[n], lane),
                              min(tile + s * GROUP_SIZE + lane, end - 1u))
                }
            }
#endif
        } else {
            groupBarrier();
            const uint count = mySlice < SLICES ? min(TILE, end - tile) : 0u;
            for (uint j = mySlice; j < count; j += SLICES) {
                ADD_VALUE(weightShared[n * TILE + j], tile + j)
            }
        }
    }

    // what the invocations have of the sums
    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        sums[n] = groupSum(sums[n]);
        if (SLICES > 1u) {
            groupBarrier();
            sumShared[self] = acc[n * PIECES];
            groupBarrier();
            for (uint slice = 1u; slice < SLICES; ++slice) {
                acc[n * PIECES] += sumShared[slice * VALUE_PIECES + myPiece];
            }
        }
    }
    [[unroll]] for (uint n = 0u; n < QUERIES; ++n) {
        const uint row = gl_WorkGroupID.y * ROWS + n / HEADS;
        uint to = row * push.outStride + headOf(n) * VALUE_LENGTH;
        float factor = 1.0;
        if (PARTS > 1u) {
            to = ((row * push.heads + headOf(n)) * PARTS + gl_WorkGroupID.z) * (VALUE_PIECES + 1u) * 4u;
            if (self == 0u && row < push.rows) {
                y.data[to + 4u * VALUE_PIECES] = most[n];
                y.data[to + 4u * VALUE_PIECES + 1u] = sums[n];
            }
        } else if (HAS_SINKS) {
            const float sink = float1(sinks, headOf(n));
            const float all = max(most[n], sink);
            factor = exp(most[n] - all) / (sums[n] * exp(most[n] - all) + exp(sink - all));
        } else {
            factor /= sums[n];
        }
        [[unroll]] for (uint p = 0u; p < PIECES; ++p) {
            const uint piece = self + p * GROUP_SIZE;
            const uint numbers = piece < VALUE_PIECES && row < push.rows
                ? min(4u, VALUE_LENGTH - 4u * piece)
                : 0u;
            const vec4 v = acc[n * PIECES + p] * factor;
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {
                if (c < numbers) {
                    y.data[to + 4u * piece + c] = v[c];
                }
            }
        }
    }
}
