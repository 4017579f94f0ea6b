// Products with weight matrices: y = W x + bias, for up to three matrices of one type that share x.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"

FLOATS(0, x);
BITS(1, weights);
FLOATS(2, bias);
FLOATS(3, route); // experts alone
OUTPUT(4, y0, float);
OUTPUT(5, y1, float);
OUTPUT(6, y2, float);
#define GRIDS_SLOT 7
#include "type.glsl"

struct Target
{
    uint firstByte; // of the window's first row
    uint rows; // of one matrix
    uint outStride; // floats from token to token
    uint biasAt; // in the input `bias`
    uint firstGroup;
};
layout(push_constant) uniform Push
{
    uint columns;
    uint tokens;
    uint inStride;
    uint rowBytes;
    uint firstRow; // the window holds these rows of the matrix or the stack alone
    uint windowRows;
    uint inOffset; // pieces of a row, one a matrix (MANY and EXPERTS)
    uint inStep;
    uint outOffset;
    uint outStep;
    uint routeStride;
    Target targets[3];
} push;

// How the work is laid out
const uint OWN_ROWS = 0u; // an invocation has rows of its own
const uint SHARED_ROWS = 1u; // a group has rows together, each invocation some of the columns
const uint OWN_TOKENS = 2u; // a group has rows together, each invocation tokens of its own
layout(constant_id = 1) const uint LAYOUT = OWN_ROWS;
layout(constant_id = 2) const uint ROWS = 8u; // of an invocation
layout(constant_id = 3) const uint TOKENS = 1u; // … of an invocation
// What is multiplied
const uint ONE = 0u;
const uint MANY = 1u; // matrix z of a stack has piece z of the row
const uint EXPERTS = 2u; // matrix and piece number z as the route says
layout(constant_id = 4) const uint MODE = ONE;
layout(constant_id = 5) const bool ALIGNED = true; // x begins at multiples of 4 floats
layout(constant_id = 6) const bool HAS_TAIL = false; // a row may end within a unit
layout(constant_id = 7) const bool ADDS = false; // to what y holds

const uint NO_BIAS = 0xffffffffu;
// rows of plain numbers have units only
const uint UNITS_OF_BLOCK = max(BLOCK_WEIGHTS / UNIT, 1u);
const uint BLOCK_STEP = BLOCK_WEIGHTS == 1u ? UNIT * BLOCK_BYTES : BLOCK_BYTES;

vec4 x4(uint at)
{
    return ALIGNED ? floats4(x, at / 4u)
                   : vec4(float1(x, at), float1(x, at + 1u), float1(x, at + 2u), float1(x, at + 3u));
}

uint rowByte[ROWS];
uint xAt[TOKENS];
float sums[ROWS * TOKENS];

#ifdef HAS_FORMS
const uint FORMS_OF_UNIT = FORMS;
#else
const uint FORMS_OF_UNIT = 1u;
#endif
const uint VECTORS = UNIT / 4u;
const uint VECTORS_OF_FORM = VECTORS / FORMS_OF_UNIT;

/// Weights of a unit: w times x of its form plus y of it.
void decode(uint blockByte, uint unit, out vec4 w[VECTORS], out vec2 forms[FORMS_OF_UNIT])
{
#if defined(HAS_FORMS)
    decodeForms(blockByte, unit, w, forms);
#elif defined(HAS_AFFINE)
    forms[0] = decodeAffine(blockByte, unit, w);
#elif defined(HAS_SCALE)
    forms[0] = vec2(decodeScaled(blockByte, unit, w), 0.0);
#else
    decodeUnit(blockByte, unit, w);
    forms[0] = vec2(1.0, 0.0);
#endif
}

bvec4 isInside(uint column)
{
    return lessThan(column + uvec4(0u, 1u, 2u, 3u), uvec4(push.columns));
}

/// Unit u of all rows and tokens; of the last one of a row only what lies inside.
void addUnit(uint u, bool isTail)
{
    const uint column = u * UNIT;
    vec4 xs[TOKENS * VECTORS];
    float xSums[TOKENS * FORMS_OF_UNIT];
    [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
        [[unroll]] for (uint f = 0u; f < FORMS_OF_UNIT; ++f) {
            vec4 all = vec4(0.0);
            [[unroll]] for (uint i = 0u; i < VECTORS_OF_FORM; ++i) {
                const uint j = f * VECTORS_OF_FORM + i;
                vec4 v = x4(xAt[t] + column + 4u * j);
                if (isTail) {
                    v = mix(vec4(0.0), v, isInside(column + 4u * j));
                }
                xs[t * VECTORS + j] = v;
                all += v;
            }
            xSums[t * FORMS_OF_UNIT + f] = (all.x + all.y) + (all.z + all.w);
        }
    }
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        vec4 w[VECTORS];
        vec2 forms[FORMS_OF_UNIT];
        decode(rowByte[r] + u / UNITS_OF_BLOCK * BLOCK_STEP, u % UNITS_OF_BLOCK, w, forms);
        if (isTail) {
            [[unroll]] for (uint j = 0u; j < VECTORS; ++j) {
                w[j] = mix(vec4(0.0), w[j], isInside(column + 4u * j));
            }
        }
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            [[unroll]] for (uint f = 0u; f < FORMS_OF_UNIT; ++f) {
                float part = 0.0;
                [[unroll]] for (uint i = 0u; i < VECTORS_OF_FORM; ++i) {
                    const uint j = f * VECTORS_OF_FORM + i;
                    part += dot(w[j], xs[t * VECTORS + j]);
                }
#if defined(HAS_AFFINE) || (defined(HAS_FORMS) && !defined(HAS_NO_MINIMUM))
                part = part * forms[f].x + xSums[t * FORMS_OF_UNIT + f] * forms[f].y;
#elif defined(HAS_SCALE) || defined(HAS_FORMS)
                part *= forms[f].x;
#endif
                sums[r * TOKENS + t] += part;
            }
        }
    }
}

void main()
{
    // which target
    const uint group = gl_WorkGroupID.x;
    const uint number = group >= push.targets[2].firstGroup ? 2u
        : group >= push.targets[1].firstGroup               ? 1u
                                                            : 0u;
    Target target = push.targets[0];
    if (number == 1u) {
        target = push.targets[1];
    } else if (number == 2u) {
        target = push.targets[2];
    }

    // which rows and tokens
    uint row = (group - target.firstGroup) * ROWS;
    uint token = gl_WorkGroupID.y * TOKENS;
    uint tokenStep = 1u;
    if (LAYOUT == OWN_ROWS) {
        row = ((group - target.firstGroup) * GROUP_SIZE + gl_LocalInvocationID.x) * ROWS;
    } else if (LAYOUT == OWN_TOKENS) {
        token = gl_WorkGroupID.y * TOKENS * GROUP_SIZE + gl_LocalInvocationID.x;
        tokenStep = GROUP_SIZE;
    }
    const uint piece = gl_WorkGroupID.z;
    uint matrix = 0u;
    if (MODE == MANY) {
        matrix = piece;
    } else if (MODE == EXPERTS) {
        matrix = uint(float1(route, token * push.routeStride + piece));
    }
    const uint matrixRow = matrix * target.rows - push.firstRow; // in the window
    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        const uint inWindow = min(matrixRow + min(row + r, target.rows - 1u), push.windowRows - 1u);
        rowByte[r] = target.firstByte + inWindow * push.rowBytes;
    }
    [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
        xAt[t] = min(token + t * tokenStep, push.tokens - 1u) * push.inStride;
        if (MODE != ONE) {
            xAt[t] += push.inOffset + piece * push.inStep;
        }
    }
    [[unroll]] for (uint i = 0u; i < ROWS * TOKENS; ++i) {
        sums[i] = 0.0;
    }

    const uint units = push.columns / UNIT;
    if (LAYOUT == SHARED_ROWS) {
        for (uint u = gl_LocalInvocationID.x; u < units; u += GROUP_SIZE) {
            addUnit(u, false);
        }
    } else {
        for (uint u = 0u; u < units; ++u) {
            addUnit(u, false);
        }
    }
    if (HAS_TAIL && units * UNIT < push.columns
        && (LAYOUT != SHARED_ROWS || gl_LocalInvocationID.x == 0u)) {
        addUnit(units, true);
    }

    [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            float sum = sums[r * TOKENS + t];
            bool writes = true;
            if (LAYOUT == SHARED_ROWS) {
                sum = groupSum(sum);
                writes = gl_LocalInvocationID.x == (r * TOKENS + t) % GROUP_SIZE;
            }
            const uint outToken = token + t * tokenStep;
            if (writes && row + r < target.rows && outToken < push.tokens
                && matrixRow + row + r < push.windowRows) {
                if (target.biasAt != NO_BIAS) {
                    sum += float1(bias, target.biasAt + (MODE == EXPERTS ? matrix * target.rows : 0u) + row + r);
                }
                uint at = outToken * target.outStride + row + r;
                if (MODE != ONE) {
                    at += push.outOffset + piece * push.outStep;
                }
                if (number == 0u) {
                    y0.data[at] = ADDS ? y0.data[at] + sum : sum;
                } else if (number == 1u) {
                    y1.data[at] = ADDS ? y1.data[at] + sum : sum;
                } else {
                    y2.data[at] = ADDS ? y2.data[at] + sum : sum;
                }
            }
        }
    }
}
