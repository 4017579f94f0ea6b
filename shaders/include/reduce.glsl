// Sums and maxima over a workgroup; every invocation gets the result and must take part.
// SPDX-License-Identifier: Apache-2.0
#ifdef SUBGROUPS
#extension GL_KHR_shader_subgroup_arithmetic : require
// One number a subgroup: groups of one subgroup need no barrier.
shared float reduceShared[32];

float groupSum(float x)
{
    x = subgroupAdd(x);
    if (gl_NumSubgroups > 1u) {
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
    if (gl_NumSubgroups > 1u) {
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
