// What the shaders of products share (see product_batches.h): y = W x + bias, for up to three matrices of one type that
// share x. Needs io.glsl. SPDX-License-Identifier: Apache-2.0

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
    uint outOffset; // of ONE the first row
    uint outStep;
    uint routeStride;
    Target targets[3];
    float limit; // of a gate
} push;

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

/// The weights of the unit that begins at a column, as they are; zeros behind the end of the row.
void unitWeights(uint rowByte, uint column, out vec4 w[VECTORS])
{
    if (column < push.columns) {
        const uint unit = column / UNIT;
        vec2 forms[FORMS_OF_UNIT];
        decode(rowByte + unit / UNITS_OF_BLOCK * BLOCK_STEP, unit % UNITS_OF_BLOCK, w, forms);
        [[unroll]] for (uint j = 0u; j < VECTORS; ++j) {
            const vec2 form = forms[j / VECTORS_OF_FORM];
            w[j] = w[j] * form.x + form.y;
            if (HAS_TAIL) {
                w[j] = mix(vec4(0.0), w[j], isInside(column + 4u * j));
            }
        }
    } else {
        [[unroll]] for (uint j = 0u; j < VECTORS; ++j) {
            w[j] = vec4(0.0);
        }
    }
}

/// The target that a group of the first axis has.
Target targetOf(uint group, out uint number)
{
    number = group >= push.targets[2].firstGroup ? 2u : group >= push.targets[1].firstGroup ? 1u : 0u;
    if (number == 1u) {
        return push.targets[1];
    }
    if (number == 2u) {
        return push.targets[2];
    }
    return push.targets[0];
}

/// With the bias of number `row` of a matrix; both targets of a gate have the same rows.
float biased(float sum, Target target, uint matrix, uint row)
{
    return target.biasAt == NO_BIAS
        ? sum
        : sum + float1(bias, target.biasAt + (MODE == EXPERTS ? matrix * target.rows : 0u) + row);
}

/// Number `row` of a token; `piece` as main has it.
void writeNumber(Target target, uint number, uint piece, uint row, uint token, float value)
{
    const uint at = token * target.outStride + push.outOffset + piece * push.outStep + row;
    if (number == 0u) {
        y0.data[at] = ADDS ? y0.data[at] + value : value;
    } else if (number == 1u) {
        y1.data[at] = ADDS ? y1.data[at] + value : value;
    } else {
        y2.data[at] = ADDS ? y2.data[at] + value : value;
    }
}

/// Adds the bias and writes.
void writeSum(Target target, uint number, uint matrix, uint piece, uint row, uint token, float sum)
{
    writeNumber(target, number, piece, row, token, biased(sum, target, matrix, row));
}
