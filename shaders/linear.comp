// Products with weight matrices: y = W x + bias, for up to three matrices of one type that share x; or of two of them
// what op::Gate makes.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"
#include "activations.glsl"
#include "product.glsl"

// How the work is laid out
const uint OWN_ROWS = 0u; // an invocation has rows of its own
const uint SHARED_ROWS = 1u; // a group has rows together, each invocation some of the columns
const uint OWN_TOKENS = 2u; // a group has rows together, each invocation tokens of its own
layout(constant_id = 1) const uint LAYOUT = OWN_ROWS;
layout(constant_id = 2) const uint ROWS = 8u; // of an invocation
layout(constant_id = 3) const uint TOKENS = 1u; // … of an invocation
const uint UNGATED = 0xffffffffu;
layout(constant_id = 8) const uint GATE = UNGATED; // the function of op::Gate
const bool GATED = GATE != UNGATED; // y0 is the gate of targets 0 (gate) and 1 (up)
const uint OUTPUTS = GATED ? ROWS / 2u : ROWS; // rows written; those of `up` are behind the gate's

uint rowByte[ROWS];
uint xAt[TOKENS];
float sums[ROWS * TOKENS];

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

/// Over the columns.
float whole(float sum)
{
    if (LAYOUT == SHARED_ROWS) {
        sum = groupSum(sum);
    }
    return sum;
}

void main()
{
    const uint group = gl_WorkGroupID.x;
    uint number;
    const Target target = targetOf(group, number);

    // which rows and tokens
    uint row = (group - target.firstGroup) * OUTPUTS;
    uint token = gl_WorkGroupID.y * TOKENS;
    uint tokenStep = 1u;
    if (LAYOUT == OWN_ROWS) {
        row = ((group - target.firstGroup) * GROUP_SIZE + gl_LocalInvocationID.x) * OUTPUTS;
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
        const uint inWindow =
            min(matrixRow + min(row + r % OUTPUTS, target.rows - 1u), push.windowRows - 1u);
        rowByte[r] = (r < OUTPUTS ? target.firstByte : push.targets[1].firstByte)
            + inWindow * push.rowBytes;
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

    [[unroll]] for (uint r = 0u; r < OUTPUTS; ++r) {
        [[unroll]] for (uint t = 0u; t < TOKENS; ++t) {
            float sum = whole(sums[r * TOKENS + t]);
            float up = 0.0;
            if (GATED) {
                up = whole(sums[(r + OUTPUTS) * TOKENS + t]);
            }
            const bool writes =
                LAYOUT != SHARED_ROWS || gl_LocalInvocationID.x == (r * TOKENS + t) % GROUP_SIZE;
            const uint outToken = token + t * tokenStep;
            if (writes && row + r < target.rows && outToken < push.tokens
                && matrixRow + row + r < push.windowRows) {
                if (GATED) {
                    sum = gated(GATE, push.limit, biased(sum, target, matrix, row + r),
                                biased(up, push.targets[1], matrix, row + r));
                    writeNumber(target, number, piece, row + r, outToken, sum);
                } else {
                    writeSum(target, number, matrix, piece, row + r, outToken, sum);
                }
            }
        }
    }
}
