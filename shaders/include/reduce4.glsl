// Four sums at once over a workgroup, as groupSum of reduce.glsl, which it needs.
// SPDX-License-Identifier: Apache-2.0
#ifdef SUBGROUPS
shared vec4 reduceShared4[32];

vec4 groupSum4(vec4 x)
{
    x = subgroupAdd(x);
    if (gl_NumSubgroups > 1u) {
        barrier();
        if (subgroupElect()) {
            reduceShared4[gl_SubgroupID] = x;
        }
        barrier();
        x = vec4(0.0);
        for (uint i = 0u; i < gl_NumSubgroups; ++i) {
            x += reduceShared4[i];
        }
    }
    return x;
}
#else
shared vec4 reduceShared4[GROUP_SIZE];

vec4 groupSum4(vec4 x)
{
    barrier();
    reduceShared4[gl_LocalInvocationID.x] = x;
    barrier();
    x = vec4(0.0);
    for (uint i = 0u; i < GROUP_SIZE; ++i) {
        x += reduceShared4[i];
    }
    return x;
}
#endif
