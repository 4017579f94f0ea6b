// Sums and maxima over a workgroup; every invocation gets the result and must take part.
// SPDX-License-Identifier: Apache-2.0
#ifdef SUBGROUPS
#extension GL_KHR_shader_subgroup_arithmetic : require
// A barrier costs a software device dearly even where it is not reached (its compiler cuts the shader
// in two there). So where texels are read, groups that use this file are one subgroup.
#ifdef TEXELS
#define SEVERAL_SUBGROUPS false
#else
#define SEVERAL_SUBGROUPS (gl_NumSubgroups > 1u)
#endif
// One number a subgroup: groups of one subgroup need no barrier.
shared float reduceShared[32];

/// Orders accesses to shared memory; for all invocations.
void groupBarrier()
{
    if (SEVERAL_SUBGROUPS) {
        barrier();
    } else {
        subgroupMemoryBarrierShared();
        subgroupBarrier();
    }
}

float groupSum(float x)
{
    x = subgroupAdd(x);
    if (SEVERAL_SUBGROUPS) {
        barrier();
        if (subgroupElect()) {
            reduceShared[gl_SubgroupID] = x;
        }
        barrier();
        x = 0.0;
        for (uint i = 0u; i < gl_NumSubgroups; ++i) {
            x += reduceShared[i];
        }
    }
    return x;
}

float groupMax(float x)
{
    x = subgroupMax(x);
    if (SEVERAL_SUBGROUPS) {
        barrier();
        if (subgroupElect()) {
            reduceShared[gl_SubgroupID] = x;
        }
        barrier();
        x = reduceShared[0];
        for (uint i = 1u; i < gl_NumSubgroups; ++i) {
            x = max(x, reduceShared[i]);
        }
    }
    return x;
}
#else
shared float reduceShared[GROUP_SIZE];

void groupBarrier()
{
    barrier();
}

float groupSum(float x)
{
    barrier();
    reduceShared[gl_LocalInvocationID.x] = x;
    barrier();
    x = 0.0;
    for (uint i = 0u; i < GROUP_SIZE; ++i) {
        x += reduceShared[i];
    }
    return x;
}

float groupMax(float x)
{
    barrier();
    reduceShared[gl_LocalInvocationID.x] = x;
    barrier();
    x = reduceShared[0];
    for (uint i = 1u; i < GROUP_SIZE; ++i) {
        x = max(x, reduceShared[i]);
    }
    return x;
}
#endif
