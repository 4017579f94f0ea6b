// The choice of experts: one workgroup a token. Ties go to the first expert, as on the CPU.
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "io.glsl"
#include "reduce.glsl"

FLOATS(0, scores);
FLOATS(1, bias);
FLOATS(2, expertScales);
OUTPUT(3, y, float);
layout(push_constant) uniform Push
{
    uint experts;
    uint scoresStride; // floats from row to row
    uint outStride;
    uint used;
    uint groupsUsed;
    float scale;
} push;
layout(constant_id = 1) const uint GATING = 0u; // as Route::Gating
layout(constant_id = 2) const uint GROUPS = 1u; // of experts
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool HAS_SCALES = false;
layout(constant_id = 5) const bool NORMALIZE = false;

const float kNever = -3.0e38; // of experts in groups that were not kept
const float kNothing = -3.4e38; // less than any
const float kNobody = 1.0e9; // more than any expert's number
const float kLeastSum = 6.1e-5; // the smallest normal half: divisors go no lower

shared float groupScores[GROUPS];
shared bool groupKept[GROUPS];

// of the token
uint scoresBegin;
float most; // of all logits
float sumOfAll; // of eˣ⁻ᵐᵒˢᵗ

float logit(uint expert)
{
    return float1(scores, scoresBegin + expert);
}

float probability(uint expert)
{
    const float x = logit(expert);
    if (GATING == 0u) {
        return exp(x - most) / sumOfAll;
    }
    return GATING == 1u ? (x < -88.0 ? 0.0 : 1.0 / (1.0 + exp(-min(x, 88.0)))) : x;
}

/// What an expert is chosen by, its group aside.
float choice(uint expert)
{
    return probability(expert) + (HAS_BIAS ? float1(bias, expert) : 0.0);
}

void prepareSoftmax()
{
    float largest = kNever;
    for (uint e = gl_LocalInvocationID.x; e < push.experts; e += GROUP_SIZE) {
        largest = max(largest, logit(e));
    }
    most = groupMax(largest);
    float sum = 0.0;
    for (uint e = gl_LocalInvocationID.x; e < push.experts; e += GROUP_SIZE) {
        sum += exp(logit(e) - most);
    }
    sumOfAll = groupSum(sum);
}

/// Groups are ranked by the sum of their two best.
void chooseGroups()
{
    const uint size = push.experts / GROUPS;
    for (uint g = gl_LocalInvocationID.x; g < GROUPS; g += GROUP_SIZE) {
        float first = kNever;
        float second = kNever;
        for (uint e = g * size; e < (g + 1u) * size; ++e) {
            const float value = choice(e);
            second = max(second, min(first, value));
            first = max(first, value);
        }
        groupScores[g] = size > 1u ? first + second : first;
    }
    barrier();
    for (uint g = gl_LocalInvocationID.x; g < GROUPS; g += GROUP_SIZE) {
        uint better = 0u;
        for (uint other = 0u; other < GROUPS; ++other) {
            const bool wins = groupScores[other] > groupScores[g]
                || (groupScores[other] == groupScores[g] && other < g);
            better += wins ? 1u : 0u;
        }
        groupKept[g] = better < push.groupsUsed;
    }
    barrier();
}

/// Makes weights of what stands in the output: probabilities of those chosen.
void weigh(uint begin)
{
    const uint weights = begin + push.used;
    float divisor = 1.0;
    float top = kNever;
    if (GATING == 2u) { // softmax of those chosen
        for (uint i = 0u; i < push.used; ++i) {
            top = max(top, y.data[weights + i]);
        }
        divisor = 0.0;
        for (uint i = 0u; i < push.used; ++i) {
            divisor += exp(y.data[weights + i] - top);
        }
    } else if (NORMALIZE) {
        divisor = 0.0;
        for (uint i = 0u; i < push.used; ++i) {
            divisor += y.data[weights + i];
        }
        divisor = max(divisor, kLeastSum);
    }
    for (uint i = 0u; i < push.used; ++i) {
        float weight = y.data[weights + i];
        weight = (GATING == 2u ? exp(weight - top) : weight) * (push.scale / divisor);
        if (HAS_SCALES) {
            weight *= float1(expertScales, uint(y.data[begin + i]));
        }
        y.data[weights + i] = weight;
    }
}

void main()
{
    scoresBegin = gl_WorkGroupID.x * push.scoresStride;
    const uint begin = gl_WorkGroupID.x * push.outStride;
    if (GATING == 0u) {
        prepareSoftmax();
    }
    if (GROUPS > 1u) {
        chooseGroups();
    }
    // one after the other: the largest that comes after the one before
    float lastValue = -kNever;
    float lastExpert = -1.0;
    for (uint i = 0u; i < push.used; ++i) {
        float bestValue = kNothing;
        float bestExpert = kNobody;
        for (uint e = gl_LocalInvocationID.x; e < push.experts; e += GROUP_SIZE) {
            precise float value = choice(e); // the same bits each time
            if (GROUPS > 1u && !groupKept[e / (push.experts / GROUPS)]) {
                value = kNever;
            }
            const bool isLeft =
                value < lastValue || (value == lastValue && float(e) > lastExpert);
            if (isLeft && (bestExpert == kNobody || value > bestValue)) {
                bestValue = value;
                bestExpert = float(e);
            }
        }
        lastValue = groupMax(bestValue);
        lastExpert = -groupMax(bestValue == lastValue ? -bestExpert : -kNobody);
        const uint expert = lastExpert < kNobody ? uint(lastExpert) : 0u; // none: not a number
        if (gl_LocalInvocationID.x == 0u) {
            y.data[begin + i] = float(expert);
            y.data[begin + push.used + i] = probability(expert);
        }
    }
    if (gl_LocalInvocationID.x == 0u) {
        weigh(begin);
    }
}
