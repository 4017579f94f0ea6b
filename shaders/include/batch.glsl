// What changes from run to run: position and tokens. Needs BITS(n, batch).
// SPDX-License-Identifier: Apache-2.0

/// Position of row 0.
#define batchPosition() (bits16(batch, 0u).x)
/// Of a row.
#define batchToken(row) (bits16(batch, 1u + (row) / 4u)[(row) % 4u])
