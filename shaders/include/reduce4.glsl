// Four sums at once over a workgroup, as groupSum of reduce.glsl, which it needs.
// SPDX-License-Identifier: Apache-2.0
shared vec4 reduceShared4[MOST_PARTS];
GROUP_REDUCTION(groupSum4, vec4, reduceShared4, subgroupAdd, SUM_OF_TWO)
