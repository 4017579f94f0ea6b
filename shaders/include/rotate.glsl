// Rotations of 4 pairs of numbers at once.
// SPDX-License-Identifier: Apache-2.0

/// Where the second piece of 4 pairs begins, from the first on.
#define pieceDistance(halvesApart, pairs) ((halvesApart) ? (pairs) : 4u)

/// `low` and `high`: cosine and sine of each of the 4 pairs.
void rotatePieces(bool halvesApart, inout vec4 a, inout vec4 b, vec4 low, vec4 high)
{
    if (halvesApart) {
        const vec4 cosines = vec4(low.xz, high.xz);
        const vec4 sines = vec4(low.yw, high.yw);
        const vec4 first = a * cosines - b * sines;
        b = a * sines + b * cosines;
        a = first;
    } else {
        a = a * low.xxzz + vec4(-a.y, a.x, -a.w, a.z) * low.yyww;
        b = b * high.xxzz + vec4(-b.y, b.x, -b.w, b.z) * high.yyww;
    }
}
