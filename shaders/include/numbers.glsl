// What ops share that touch the numbers of rows one by one: which vec4 an invocation has, and that padding stays 0.
// SPDX-License-Identifier: Apache-2.0
//
// Push constants begin with these three:
#define NUMBERS_PUSH                                                                               \
    uint count; /* of vec4 in all rows */                                                          \
    uint rowPieces; /* of vec4 in a row */                                                         \
    uint tail; /* numbers in the last vec4 of a row */

/// May be count or more: then there is nothing to do. Groups in rows and columns, as there may be many.
#define numbersIndex()                                                                             \
    ((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * GROUP_SIZE                       \
     + gl_LocalInvocationID.x)

/// v of place i, with zeros for what lies behind the row.
vec4 withoutTail(vec4 v, uint i, uint rowPieces, uint tail)
{
    if (tail < 4u && i % rowPieces == rowPieces - 1u) {
        v = mix(v, vec4(0.0), greaterThanEqual(uvec4(0u, 1u, 2u, 3u), uvec4(tail)));
    }
    return v;
}
