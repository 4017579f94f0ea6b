// Products of weight matrices with many tokens by integer dot products: as linear_tile.comp, but levels are multiplied
// with bytes of to_bytes.comp. MODE is ONE, and rows are of whole units. SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "product.glsl"
#include "tile.glsl"
#include "dot.glsl"

BITS(3, bytes); // 3 pieces of 16 bytes for each 32 columns of a token

const uint PIECES = 3u; // 32 levels, then what they are multiplied by
const uint X_ROUNDS = (TILE_TOKENS * PIECES + X_LANES - 1u) / X_LANES;
shared uvec4 tileW[TILE_ROWS * PIECES];
shared uvec4 tileX[TILE_TOKENS * PIECES];

/// Both as in shared memory: `levels` are those of a row and of a token.
float product(uvec4 w[2], vec2 form, uvec4 x[2], vec2 xForm)
{
    const int first = dot16(w[0], x[0]);
    const int second = dot16(w[1], x[1]);
#if defined(CODES_HAVE_TWO_SCALES)
    return xForm.x * (form.x * float(first) + form.y * float(second));
#elif defined(CODES_HAVE_MINIMUM)
    return xForm.x * (form.x * float(first + second) + form.y * xForm.y);
#else
    return xForm.x * (form.x * float(first + second));
#endif
}

void multiply(uint rowLane, uint tokenLane)
{
    uvec4 xs[TOKENS * 2u];
    vec2 xForms[TOKENS];
    [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
        const uint at = (tokenLane + t * TOKEN_LANES) * PIECES;
        xs[2u * t] = tileX[at];
        xs[2u * t + 1u] = tileX[at + 1u];
        xForms[t] = uintBitsToFloat(tileX[at + 2u].xy);
    }
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        const uint at = (rowLane + r * ROW_LANES) * PIECES;
        const uvec4 w[2] = { tileW[at], tileW[at + 1u] };
        const vec2 form = uintBitsToFloat(tileW[at + 2u].xy);
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            sums[r * TOKENS + t] += product(w, form, uvec4[2](xs[2u * t], xs[2u * t + 1u]), xForms[t]);
        }
    }
}

void main()
{
    const Tile tile = tileOfGroup();
    const uint lane = gl_LocalInvocationID.x;
    const bool hasWeights = lane < TILE_ROWS;
    const uint rowByte = rowByteOf(tile, lane);
    const uint units = push.columns / UNIT;
    const uint rowLane = lane % ROW_LANES;
    const uint tokenLane = lane / ROW_LANES;
    clearSums();
    for (uint unit = 0u; unit < units; ++unit) {
        // from memory into registers …
        uvec4 levels[2];
        vec2 form;
        uvec4 staged[X_ROUNDS];
        if (hasWeights) {
            const uint block = rowByte + unit / UNITS_OF_BLOCK * BLOCK_STEP;
            form = decodeCodes(block, unit % UNITS_OF_BLOCK, levels);
        } else {
            [[unroll]] for (uint i = 0u; i < X_ROUNDS; ++i) {
                const uint job = lane - TILE_ROWS + i * X_LANES;
                const uint token = tokenOf(tile, job / PIECES);
                staged[i] = bits16(bytes, (token * units + unit) * PIECES + job % PIECES);
            }
        }
        barrier(); // everybody is done with the step before
        // … and on into shared memory
        if (hasWeights) {
            const uint at = lane * PIECES;
            tileW[at] = levels[0];
            tileW[at + 1u] = levels[1];
            tileW[at + 2u] = uvec4(floatBitsToUint(form), 0u, 0u);
        } else {
            [[unroll]] for (uint i = 0u; i < X_ROUNDS; ++i) {
                const uint job = lane - TILE_ROWS + i * X_LANES;
                if (job < TILE_TOKENS * PIECES) {
                    tileX[job] = staged[i];
                }
            }
        }
        barrier();
        multiply(rowLane, tokenLane);
    }
    writeSums(tile, rowLane, tokenLane);
}
