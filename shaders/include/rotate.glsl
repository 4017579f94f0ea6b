// Rotations of 4 pairs of numbers at once.
// SPDX-License-Identifier: Apache-2.0

/// Where the second piece of 4 pairs begins, from the first on.
#define pieceDistance(halvesApart, pairs) ((halvesApart) ? (pairs) : 4u)

/// The pieces `a` and `b`, rotated. `low` and `high`: cosine and sine of each of the 4 pairs.
mat2x4 rotatedPieces(bool halvesApart, vec4 a, vec4 b, vec4 low, vec4 high)
{
    if (halvesApart) {
        const vec4 cosines = vec4(low.xz, high.xz);
        const vec4 sines = vec4(low.yw, high.yw);
        return mat2x4(a * cosines - b * sines, a * sines + b * cosines);
    }
    return mat2x4(a * low.xxzz + vec4(-a.y, a.x, -a.w, a.z) * low.yyww,
                  b * high.xxzz + vec4(-b.y, b.x, -b.w, b.z) * high.yyww);
}
