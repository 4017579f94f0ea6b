// Products of weight matrices with many tokens: a workgroup computes a tile of rows × tokens. Weights are decoded into
// shared memory, a few columns at a time, with the numbers of the tokens beside them. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef FLOAT16
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#endif
#include "io.glsl"
#include "product.glsl"
#include "tile.glsl"

// With FLOAT16 each row and token has 32 columns as halves with one factor, and sums of few products are halves: all of
// them are made so small that none can overflow, whatever the numbers are.

const uint PIECES = STEP / 8u; // of a token
const uint X_ROUNDS = (TILE_TOKENS * PIECES + X_LANES - 1u) / X_LANES;
const uint STAGED = STEP / 4u > 2u * X_ROUNDS ? STEP / 4u : 2u * X_ROUNDS;
vec4 staged[STAGED];

// One piece more than a row needs: neighbouring rows begin in other banks.
#ifdef FLOAT16
const uint STRIDE = STEP / 8u + 1u; // of 8 halves
shared uvec4 tileW[TILE_ROWS * STRIDE];
shared uvec4 tileX[TILE_TOKENS * STRIDE];
shared float factorsW[TILE_ROWS];
shared uint largestX[2u * TILE_TOKENS]; // bits of floats, of this step and the next
const uint CHAIN = 8u; // products that are added up as a half: of more, too much would be lost
const float LARGEST = 32.0; // CHAIN products of two of them fit into a half
#else
const uint STRIDE = STEP / 4u + 1u; // of 4 floats
shared vec4 tileW[TILE_ROWS * STRIDE];
shared vec4 tileX[TILE_TOKENS * STRIDE];
#endif

void fetchWeights(uint rowByte, uint column)
{
    [[unroll]] for (uint i = 0u; i < STEP / UNIT; ++i) {
        vec4 w[VECTORS];
        unitWeights(rowByte, column + i * UNIT, w);
        [[unroll]] for (uint j = 0u; j < VECTORS; ++j) {
            staged[i * VECTORS + j] = w[j];
        }
    }
}

vec4 xOf(uint at, uint column)
{
    vec4 v = vec4(0.0);
    if (column < push.columns) {
        v = x4(at + column);
        if (HAS_TAIL) {
            v = mix(vec4(0.0), v, isInside(column));
        }
    }
    return v;
}

float largestOf(vec4 v)
{
    const vec4 size = abs(v);
    return max(max(size.x, size.y), max(size.z, size.w));
}

#ifdef FLOAT16
/// A power of two not below `largest`.
float powerAbove(float largest)
{
    return uintBitsToFloat((floatBitsToUint(largest) & 0x7f800000u) + 0x800000u);
}

/// What makes numbers up to `largest` fit, which loses nothing of their digits; of very small ones nothing is left.
float scaleFor(float largest)
{
    return largest > 1e-30 ? LARGEST / powerAbove(largest) : 0.0;
}

uvec4 halvesOf(vec4 a, vec4 b, float scale)
{
    return uvec4(packFloat2x16(f16vec2(a.xy * scale)), packFloat2x16(f16vec2(a.zw * scale)),
                 packFloat2x16(f16vec2(b.xy * scale)), packFloat2x16(f16vec2(b.zw * scale)));
}

void multiply(uint rowLane, uint tokenLane, uint phase)
{
    for (uint first = 0u; first < STEP / 8u; first += CHAIN / 4u) {
        f16vec2 parts[ROWS * TOKENS];
        [[unroll]] for (uint i = 0u; i < ROWS * TOKENS; ++i) {
            parts[i] = f16vec2(0.0);
        }
        for (uint k = first; k < first + CHAIN / 4u; ++k) {
            f16vec2 xs[TOKENS * 4u];
            [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
                const uvec4 eight = tileX[(tokenLane + t * TOKEN_LANES) * STRIDE + k];
                [[unroll]] for (uint i = 0u; i < 4u; ++i) {
                    xs[t * 4u + i] = unpackFloat2x16(eight[i]);
                }
            }
            [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
                const uvec4 eight = tileW[(rowLane + r * ROW_LANES) * STRIDE + k];
                [[unroll]] for (uint i = 0u; i < 4u; ++i) {
                    const f16vec2 w = unpackFloat2x16(eight[i]);
                    [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
                        parts[r * TOKENS + t] += w * xs[t * 4u + i];
                    }
                }
            }
        }
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            const uint token = tokenLane + t * TOKEN_LANES;
            const float factor = powerAbove(uintBitsToFloat(largestX[phase * TILE_TOKENS + token])) / LARGEST;
            [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
                const vec2 part = vec2(parts[r * TOKENS + t]);
                sums[r * TOKENS + t] += (part.x + part.y) * factor * factorsW[rowLane + r * ROW_LANES];
            }
        }
    }
}
#else
void multiply(uint rowLane, uint tokenLane, uint phase)
{
    for (uint k = 0u; k < STEP / 4u; ++k) {
        vec4 xs[TOKENS];
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            xs[t] = tileX[(tokenLane + t * TOKEN_LANES) * STRIDE + k];
        }
        [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
            const vec4 w = tileW[(rowLane + r * ROW_LANES) * STRIDE + k];
            [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
                const uint i = r * TOKENS + t;
                sums[i] += w.x * xs[t].x;
                sums[i] += w.y * xs[t].y;
                sums[i] += w.z * xs[t].z;
                sums[i] += w.w * xs[t].w;
            }
        }
    }
}
#endif

void main()
{
    const Tile tile = tileOfGroup();
    const uint lane = gl_LocalInvocationID.x;
    const bool hasWeights = lane < TILE_ROWS;
    const uint rowByte = rowByteOf(tile, lane);
    uint xAt[X_ROUNDS];
    [[unroll]] for (uint i = 0u; i < X_ROUNDS; ++i) {
        const uint job = lane - TILE_ROWS + i * X_LANES;
        xAt[i] = tokenOf(tile, job / PIECES) * push.inStride;
        if (MODE != ONE) {
            xAt[i] += push.inOffset + tile.piece * push.inStep;
        }
    }
    const uint rowLane = lane % ROW_LANES;
    const uint tokenLane = lane / ROW_LANES;
    clearSums();
#ifdef FLOAT16
    for (uint i = lane; i < 2u * TILE_TOKENS; i += GROUP_SIZE) {
        largestX[i] = 0u;
    }
    barrier();
#endif

    uint phase = 0u;
    for (uint column = 0u; column < push.columns; column += STEP) {
        // from memory into registers …
        float largest = 0.0;
        if (hasWeights) {
            fetchWeights(rowByte, column);
#ifdef FLOAT16
            [[unroll]] for (uint j = 0u; j < STEP / 4u; ++j) {
                largest = max(largest, largestOf(staged[j]));
            }
#endif
        } else {
            [[unroll]] for (uint i = 0u; i < X_ROUNDS; ++i) {
                const uint job = lane - TILE_ROWS + i * X_LANES;
                if (job < TILE_TOKENS * PIECES) {
                    const uint first = column + job % PIECES * 8u;
                    staged[2u * i] = xOf(xAt[i], first);
                    staged[2u * i + 1u] = xOf(xAt[i], first + 4u);
#ifdef FLOAT16
                    const float size = max(largestOf(staged[2u * i]), largestOf(staged[2u * i + 1u]));
                    atomicMax(largestX[phase * TILE_TOKENS + job / PIECES], floatBitsToUint(size));
#endif
                }
            }
        }
        barrier(); // everybody is done with the step before
        // … and on into shared memory
        if (hasWeights) {
#ifdef FLOAT16
            const float scale = scaleFor(largest);
            factorsW[lane] = powerAbove(largest) / LARGEST;
            [[unroll]] for (uint j = 0u; j < STEP / 8u; ++j) {
                tileW[lane * STRIDE + j] = halvesOf(staged[2u * j], staged[2u * j + 1u], scale);
            }
#else
            [[unroll]] for (uint j = 0u; j < STEP / 4u; ++j) {
                tileW[lane * STRIDE + j] = staged[j];
            }
#endif
        } else {
            [[unroll]] for (uint i = 0u; i < X_ROUNDS; ++i) {
                const uint job = lane - TILE_ROWS + i * X_LANES;
                if (job < TILE_TOKENS * PIECES) {
#ifdef FLOAT16
                    const uint size = largestX[phase * TILE_TOKENS + job / PIECES];
                    tileX[job / PIECES * STRIDE + job % PIECES] =
                        halvesOf(staged[2u * i], staged[2u * i + 1u], scaleFor(uintBitsToFloat(size)));
#else
                    const uint at = job / PIECES * STRIDE + job % PIECES * 2u;
                    tileX[at] = staged[2u * i];
                    tileX[at + 1u] = staged[2u * i + 1u];
#endif
                }
            }
        }
#ifdef FLOAT16
        for (uint i = lane; i < TILE_TOKENS; i += GROUP_SIZE) {
            largestX[(1u - phase) * TILE_TOKENS + i] = 0u;
        }
#endif
        barrier();
        multiply(rowLane, tokenLane, phase);
        phase = 1u - phase;
    }

    writeSums(tile, rowLane, tokenLane);
}
