// What shaders share of which a workgroup computes a tile of rows × tokens (see tile_product.h): who has which sums, who
// stages what. Needs io.glsl and product.glsl. SPDX-License-Identifier: Apache-2.0

layout(constant_id = 1) const uint ROW_LANES = 8u; // invocations beside each other over the rows
layout(constant_id = 2) const uint ROWS = 8u; // of an invocation, ROW_LANES apart
layout(constant_id = 3) const uint TOKENS = 4u; // of an invocation, TOKEN_LANES apart
layout(constant_id = 8) const uint TOKEN_LANES = 16u;
// GROUP_SIZE is ROW_LANES · TOKEN_LANES and more than TILE_ROWS.
const uint TILE_ROWS = ROW_LANES * ROWS;
const uint TILE_TOKENS = TOKEN_LANES * TOKENS;
const uint STEP = 32u; // columns at once: a multiple of UNIT
// The first TILE_ROWS invocations stage a row each, the others pieces of tokens.
const uint X_LANES = GROUP_SIZE - TILE_ROWS;

float sums[ROWS * TOKENS];

struct Tile
{
    Target target;
    uint number; // of the target
    uint piece;
    uint matrix;
    uint matrixRow; // in the window
    uint row; // the first ones
    uint token;
};

Tile tileOfGroup()
{
    Tile tile;
    tile.target = targetOf(gl_WorkGroupID.x, tile.number);
    tile.piece = gl_WorkGroupID.z;
    tile.matrix = MODE == MANY ? tile.piece : 0u;
    tile.matrixRow = tile.matrix * tile.target.rows - push.firstRow;
    tile.row = (gl_WorkGroupID.x - tile.target.firstGroup) * TILE_ROWS;
    tile.token = gl_WorkGroupID.y * TILE_TOKENS;
    return tile;
}

/// The row that invocation number `lane` stages; one that is not there is another once more.
uint rowByteOf(Tile tile, uint lane)
{
    const uint inTarget = min(tile.row + lane, tile.target.rows - 1u);
    const uint inWindow = min(tile.matrixRow + inTarget, push.windowRows - 1u);
    return tile.target.firstByte + inWindow * push.rowBytes;
}

/// The same of tokens.
uint tokenOf(Tile tile, uint number)
{
    return min(tile.token + number, push.tokens - 1u);
}

void clearSums()
{
    [[unroll]] for (uint i = 0u; i < ROWS * TOKENS; ++i) {
        sums[i] = 0.0;
    }
}

void writeSums(Tile tile, uint rowLane, uint tokenLane)
{
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            const uint row = tile.row + rowLane + r * ROW_LANES;
            const uint token = tile.token + tokenLane + t * TOKEN_LANES;
            if (row < tile.target.rows && token < push.tokens && tile.matrixRow + row < push.windowRows) {
                writeSum(tile.target, tile.number, tile.matrix, tile.piece, row, token, sums[r * TOKENS + t]);
            }
        }
    }
}
