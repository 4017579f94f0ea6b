// Products by cooperative matrices: a group has rows and tokens together, each of its subgroups a share of the sums.
// SPDX-License-Identifier: Apache-2.0
//
// Weights become halves in shared memory; x is halves already (to_halves.comp), a token's scaled by a power of two.
// Sums are floats. MODE is ONE.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require
#include "io.glsl"
#include "product.glsl"

BITS(3, halves); // a row of to_halves.comp for each token, of tokens that fill whole groups

// What the device multiplies: M × K with K × N. Three constants, see tools/khr_matrices.h.
layout(constant_id = 1) const uint M = 16u;
layout(constant_id = 2) const uint N = 16u;
layout(constant_id = 3) const uint K = 16u;
layout(constant_id = 8) const uint ROW_TILES = 2u; // M rows each, of a share
layout(constant_id = 9) const uint TOKEN_TILES = 2u;

const uint ROW_SHARES = 2u;
const uint TOKEN_SHARES = 2u;
const uint SHARES = ROW_SHARES * TOKEN_SHARES;
const uint ROWS = ROW_SHARES * ROW_TILES * M;
const uint TOKENS = TOKEN_SHARES * TOKEN_TILES * N;
const uint DEPTH = 64u; // columns at once
const uint PIECE = 8u; // halves of 16 bytes
const uint PIECES = DEPTH / PIECE;
const uint STRIDE = PIECES + 1u; // so that rows begin in other banks
const float LARGEST_HALF = 65504.0;

shared uvec4 weightTile[ROWS * STRIDE];
shared uvec4 tokenTile[TOKENS * STRIDE];
shared float sumTile[SHARES * M * N]; // token after token

uvec2 narrowed(vec4 v)
{
    const vec4 cut = clamp(v, -LARGEST_HALF, LARGEST_HALF);
    return uvec2(packHalf2x16(cut.xy), packHalf2x16(cut.zw));
}

/// DEPTH columns of all rows, zeros behind the end of a row.
void fillWeights(Target target, uint firstRow, uint column)
{
    const uint units = DEPTH / UNIT;
    for (uint i = gl_LocalInvocationID.x; i < ROWS * units; i += GROUP_SIZE) {
        const uint row = i / units;
        const uint rowByte = target.firstByte + min(firstRow + row, target.rows - 1u) * push.rowBytes;
        vec4 w[VECTORS];
        unitWeights(rowByte, column + i % units * UNIT, w);
        [[unroll]] for (uint j = 0u; j < UNIT / PIECE; ++j) {
            weightTile[row * STRIDE + i % units * (UNIT / PIECE) + j]
                = uvec4(narrowed(w[2u * j]), narrowed(w[2u * j + 1u]));
        }
    }
}

/// Where the row of a token begins in `halves`: with its scale.
uint halvesAt(uint token)
{
    return token * (1u + (push.columns + DEPTH - 1u) / DEPTH * PIECES);
}

void fillTokens(uint firstToken, uint column)
{
    for (uint i = gl_LocalInvocationID.x; i < TOKENS * PIECES; i += GROUP_SIZE) {
        const uint token = i / PIECES;
        tokenTile[token * STRIDE + i % PIECES]
            = bits16(halves, halvesAt(firstToken + token) + 1u + column / PIECE + i % PIECES);
    }
}

void main()
{
    uint number;
    const Target target = targetOf(gl_WorkGroupID.x, number);
    const uint firstRow = (gl_WorkGroupID.x - target.firstGroup) * ROWS;
    const uint firstToken = gl_WorkGroupID.y * TOKENS;
    // what a subgroup is said to have may be more than it has
    const uint lanes = GROUP_SIZE / gl_NumSubgroups;

    // as a rule there are SHARES subgroups; where there are fewer, all is done several times
    for (uint first = 0u; first < SHARES; first += gl_NumSubgroups) {
        const uint share = min(first + gl_SubgroupID, SHARES - 1u);
        const uint shareRow = share / TOKEN_SHARES * ROW_TILES * M;
        const uint shareToken = share % TOKEN_SHARES * TOKEN_TILES * N;
        fcoopmatNV<32, gl_ScopeSubgroup, M, N> sums[ROW_TILES * TOKEN_TILES];
        [[unroll]] for (uint i = 0u; i < ROW_TILES * TOKEN_TILES; ++i) {
            sums[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
        }
        for (uint column = 0u; column < push.columns; column += DEPTH) {
            barrier(); // the tiles are read no more
            fillWeights(target, firstRow, column);
            fillTokens(firstToken, column);
            barrier();
            [[unroll]] for (uint k = 0u; k < DEPTH / K; ++k) {
                fcoopmatNV<16, gl_ScopeSubgroup, K, N> xs[TOKEN_TILES];
                [[unroll]] for (uint t = 0u; t < TOKEN_TILES; ++t) {
                    coopMatLoadNV(xs[t], tokenTile, (shareToken + t * N) * STRIDE + k * K / PIECE, STRIDE, true);
                }
                [[unroll]] for (uint r = 0u; r < ROW_TILES; ++r) {
                    fcoopmatNV<16, gl_ScopeSubgroup, M, K> w;
                    coopMatLoadNV(w, weightTile, (shareRow + r * M) * STRIDE + k * K / PIECE, STRIDE, false);
                    [[unroll]] for (uint t = 0u; t < TOKEN_TILES; ++t) {
                        sums[r * TOKEN_TILES + t] = coopMatMulAddNV(w, xs[t], sums[r * TOKEN_TILES + t]);
                    }
                }
            }
        }
        if (first + gl_SubgroupID >= SHARES) {
            continue; // it worked for nothing
        }
        [[unroll]] for (uint i = 0u; i < ROW_TILES * TOKEN_TILES; ++i) {
            const uint place = share * M * N;
            coopMatStoreNV(sums[i], sumTile, place, M, true);
            subgroupBarrier();
            for (uint j = gl_SubgroupInvocationID; j < M * N; j += lanes) {
                const uint row = firstRow + shareRow + i / TOKEN_TILES * M + j % M;
                const uint token = firstToken + shareToken + i % TOKEN_TILES * N + j / M;
                if (row < target.rows && token < push.tokens) {
                    const float scale = uintBitsToFloat(bits16(halves, halvesAt(token)).x);
                    writeSum(target, number, 0u, 0u, row, token, sumTile[place + j] * scale);
                }
            }
            subgroupBarrier();
        }
    }
}
